"""The copy of a log for an auditor: plain files, from which it is verified where there is no database."""

from houseway.floor.copies.files import COPY_FORMAT, CopyError
from houseway.floor.copies.reader import Copy, open_copy
from houseway.floor.copies.writer import write_copy

__all__ = ["COPY_FORMAT", "Copy", "CopyError", "open_copy", "write_copy"]
