"""The command line: one file for each command, bad input to exit code 2 with one clear line."""

from houseway.cli.entry import main

__all__ = ["main"]
