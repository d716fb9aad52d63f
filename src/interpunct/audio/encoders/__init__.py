"""What is heard at each word boundary, as numbers: one file an encoder."""
