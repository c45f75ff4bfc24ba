"""Receipts: a round as its reader may see it, and the proof that it is in the signed tree."""

from houseway.floor.receipts.model import FORMAT, Receipt, read_receipt
from houseway.floor.receipts.receipt_builder import make_receipt
from houseway.floor.receipts.receipt_check import BrokenReceiptError, ReceiptFindings, check_receipt

__all__ = [
    "FORMAT",
    "BrokenReceiptError",
    "Receipt",
    "ReceiptFindings",
    "check_receipt",
    "make_receipt",
    "read_receipt",
]
