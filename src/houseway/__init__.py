"""houseway runs, proves and explains a family of regulated casino table games."""

__version__ = "0.1.0"
