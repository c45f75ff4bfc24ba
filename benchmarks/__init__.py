"""The performance table: ``make bench``."""
