"""Several sources of evidence on one mark: what the words say, and what else was heard."""
