"""Long runs in parts: as many processes as there are cores, and a bar while somebody watches."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from multiprocessing import get_context

import pytest
from rich.console import Console
from rich.progress import track


def in_parts(
    play: Callable[[int], Counter[str]],
    parts: int,
    what: str,
    capture: pytest.CaptureFixture[str],
    *,
    each: int = 20,
) -> Counter[str]:
    """Play every part by its number and add up what happened; a process plays ``each`` parts at most."""
    done: Counter[str] = Counter()
    with capture.disabled(), get_context("spawn").Pool(os.cpu_count(), maxtasksperchild=each) as pool:
        watched = Console(stderr=True)
        going = pool.imap_unordered(play, range(parts))
        for part in track(
            going, what, parts, console=watched, transient=True, disable=not watched.is_terminal
        ):
            done += part
    return done
