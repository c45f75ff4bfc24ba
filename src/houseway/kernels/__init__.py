"""The only modules that import numba: arrays in, arrays out, and no rules of their own.

Compiled kernels are stored on disk. numba checks only the file of the kernel itself, not those of the helpers
it calls, so its cache lies in a folder named after the text of all of them, and of the one plain module that
a kernel compiles.
"""

from hashlib import sha256
from pathlib import Path
from typing import Any

from numba import config

_HERE = Path(__file__).parent
_TEXTS = b"".join(path.read_bytes() for path in (*sorted(_HERE.glob("*.py")), _HERE.parent / "strength.py"))
_settings: Any = config  # numba fills it when it starts
if not _settings.CACHE_DIR:
    _settings.CACHE_DIR = str(_HERE / "__pycache__" / f"numba-{sha256(_TEXTS).hexdigest()[:16]}")
