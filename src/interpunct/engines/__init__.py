"""Where work runs: on this machine, in order, with a bounded number of things under way."""
