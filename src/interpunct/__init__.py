"""Punctuation, casing, sentences and captions for the words of a speech recogniser."""
