"""Side-by-side measurements of interpunct and of the way that text is punctuated without it."""
