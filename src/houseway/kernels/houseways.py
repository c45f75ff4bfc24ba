"""The house-way interpreter in bulk: the same rows that the plain interpreter reads.

Hands are rows of sorted cards. For each hand the strengths of all parts are gathered from tables, the
legal settings listed, and the rules run until one applies.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from houseway.strength import cross as plain_cross

Array = NDArray[Any]
NO_RULE = -1
EMPTY = -2
AMBIGUOUS = -3
_ACE = 14
_JOKER = 52
_LEAD_ONLY = 16
_POINTS = 32
_NOT = 16
_HEAD = 6

cross = njit(cache=True, inline="always")(plain_cross)


class WayTables(NamedTuple):
    """A program and its tables; ``houseway.houseways.batch`` fills it.

    ``code`` is the program, from ``points`` on its points, and from ``straights`` on the cards of each part's
    straights: with one more array in this tuple the compiled loops took five times as long.
    """

    code: Array
    rules: int
    settings: Array
    sizes: Array
    subsets: Array
    strengths0: Array
    strengths1: Array
    strengths2: Array
    binomials: Array
    complete_levels: int
    runs: Array
    points: int
    straights: int


@njit(cache=True)
def gather_strengths(cards: Array, t: WayTables, strengths: Array) -> Any:
    """Fill the strengths of every subset that can be a part; return whether the hand is complete."""
    complete = False
    for row in range(t.subsets.shape[0]):
        part, mask = t.subsets[row, 0], t.subsets[row, 1]
        number = 0
        place = 0
        for position in range(len(cards)):
            if mask >> position & 1:
                number += t.binomials[place, cards[position]]
                place += 1
        if part == 0:
            strength = t.strengths0[number]
            if t.complete_levels >> (strength >> 20) & 1:
                complete = True
        elif part == 1:
            strength = t.strengths1[number]
        else:
            strength = t.strengths2[number]
        strengths[part, mask] = strength
    return complete


@njit(cache=True)
def _describe(cards: Array, t: WayTables, masks: Array, ranks: Array, groups: Array, flags: Array) -> Any:
    """Fill ranks, groups and flags of a sorted hand; return its shape's number."""
    masks[:] = 0
    ranks[:] = 0
    groups[:] = 0
    present = 0
    suits = 0
    naturals = 0
    distinct = True
    for place in range(len(cards)):
        card = cards[place]
        if card == _JOKER:
            rank = _ACE
            flags[0], groups[6] = 1, 1 << place
        else:
            rank = card // 4 + 2
            suits |= 1 << card % 4
            naturals += 1
            if present >> rank & 1:
                distinct = False
            present |= 1 << rank
        masks[rank] |= 1 << place
    first, trips, pairs, tops = 0, 0, 0, 0
    for rank in range(_ACE, 1, -1):
        mask = masks[rank]
        count = 0
        left = mask
        while left:
            left &= left - 1
            count += 1
        for _ in range(count):
            if tops < 3:
                ranks[6 + tops] = rank
                tops += 1
        if count >= 4:
            first = count
            ranks[0], groups[0] = rank, mask
        elif count == 3:
            if trips < 2:
                ranks[1 + trips], groups[1 + trips] = rank, mask
            trips += 1
        elif count == 2:
            if pairs < 3:
                ranks[3 + pairs], groups[3 + pairs] = rank, mask
            pairs += 1
    flags[2] = 1 if suits & (suits - 1) == 0 else 0
    flags[3] = 0
    if distinct:
        for run in t.runs:
            if present & ~run == 0:
                flags[3] = 1
    if first == 5:
        return 8
    if first == 4:
        return 7
    if trips > 1:
        return 6
    if trips == 1:
        return 5 if pairs else 4
    return pairs


# Tests of every setting are inlined, into small functions that take only the arrays they use: passing arrays
# to a function costs more than most of its work.


@njit(cache=True, inline="always")
def _passes(
    code: Array,
    at: Any,
    rows: Any,
    settings: Array,
    setting: Any,
    strengths: Array,
    straights: Any,
    ranks: Array,
    groups: Array,
) -> Any:
    """Return whether a setting passes every row of a filter."""
    every = True
    for row in range(rows):
        base = at + 4 * row
        kind, part, a, b = code[base], code[base + 1], code[base + 2], code[base + 3]
        wanted = kind < _NOT
        if not wanted:
            kind -= _NOT
        mask = settings[setting, part]
        strength = strengths[part, mask]
        if kind == 3:
            fine = a >> (strength >> 20) & 1 == 1
        elif kind == 7:
            fine = groups[a] != 0 and mask & groups[a] == groups[a]
        elif kind == 6:
            fine = strength >> 20 >= 1 or strength >> 16 & 15 >= a
        else:
            straight = code[straights + 256 * part + (strength >> 16)]
            if kind == 10:
                fine = straight >> 8 == 1
            else:
                if kind == 5 or kind == 9:
                    a = ranks[a]
                    b = a
                if kind < 8:
                    card = straight & 15 if straight else strength >> 16 & 15
                else:
                    card = straight >> 4 & 15 if straight else strength >> 12 & 15
                fine = a != 0 and a <= card <= b
        if fine != wanted:
            every = False
            break
    return every


@njit(cache=True)
def _can(
    code: Array,
    at: Any,
    some: Any,
    settings: Array,
    legal: Array,
    count: Any,
    strengths: Array,
    straights: Any,
    ranks: Array,
    groups: Array,
) -> Any:
    """Return whether some legal setting passes one of some filters."""
    for _ in range(some):
        rows = code[at]
        for index in range(count):
            if _passes(code, at + 1, rows, settings, legal[index], strengths, straights, ranks, groups):
                return True
        at += 1 + 4 * rows
    return False


@njit(cache=True)
def _keep_passing(
    code: Array,
    at: Any,
    some: Any,
    settings: Array,
    legal: Array,
    legal_count: Any,
    left: Array,
    strengths: Array,
    straights: Any,
    ranks: Array,
    groups: Array,
) -> Any:
    """List the legal settings that pass one of some filters; return their count."""
    count = 0
    for index in range(legal_count):
        here = at
        for _ in range(some):
            rows = code[here]
            if _passes(code, here + 1, rows, settings, legal[index], strengths, straights, ranks, groups):
                left[count] = legal[index]
                count += 1
                break
            here += 1 + 4 * rows
    return count


@njit(cache=True)
def _keep_most_points(
    code: Array,
    at: Any,
    settings: Array,
    left: Array,
    count: Any,
    strengths: Array,
    straights: Any,
    ranks: Array,
    groups: Array,
) -> Any:
    """Keep the settings that have the most points; return their count."""
    points = np.zeros(count, np.int64)
    here = at + 1
    for _ in range(code[at]):
        part, fixed, each = code[here], code[here + 1], code[here + 2]
        above, place, rows = code[here + 3], code[here + 4], code[here + 5]
        here += 6
        for index in range(count):
            if _passes(code, here, rows, settings, left[index], strengths, straights, ranks, groups):
                strength = strengths[part, settings[left[index], part]]
                straight = code[straights + 256 * part + (strength >> 16)]
                rank = straight >> 4 * place & 15 if straight else strength >> 16 - 4 * place & 15
                points[index] += fixed + each * max(rank - above, 0)
        here += 4 * rows
    best = points.max()
    still = 0
    for index in range(count):
        if points[index] == best:
            left[still] = left[index]
            still += 1
    return still


@njit(cache=True)
def _skip_filters(code: Array, at: Any, some: Any) -> Any:
    """Return where in the code some filters end."""
    for _ in range(some):
        at += 1 + 4 * code[at]
    return at


@njit(cache=True)
def _hand_passes(code: Any, at: Any, rows: Any, shape: Any, ranks: Array, flags: Array) -> Any:
    for row in range(rows):
        base = at + 4 * row
        kind, a, b, c = code[base], code[base + 1], code[base + 2], code[base + 3]
        if kind == 0:
            fine = b >> shape & 1 == 1
        elif kind == 1:
            fine = b <= ranks[a] and ranks[a] <= c
        else:
            fine = flags[a] == b
        if not fine:
            return False
    return True


@njit(cache=True)
def _choose(
    at: Any,
    alternatives: Any,
    preferences: Any,
    t: WayTables,
    legal: Array,
    legal_count: Any,
    left: Array,
    strengths: Array,
    ranks: Array,
    groups: Array,
) -> Any:
    """Return the chosen setting, ``EMPTY`` or ``AMBIGUOUS``."""
    count = _keep_passing(
        t.code, at, alternatives, t.settings, legal, legal_count, left, strengths, t.straights, ranks, groups
    )
    if count == 0:
        return EMPTY
    here = _skip_filters(t.code, at, alternatives)
    for place in range(preferences):
        part, shift = t.code[here + place], 0
        if part == _POINTS:
            count = _keep_most_points(
                t.code, t.points, t.settings, left, count, strengths, t.straights, ranks, groups
            )
            continue
        if part >= _LEAD_ONLY:
            part, shift = part - _LEAD_ONLY, 16
        best = -1
        for index in range(count):
            best = max(best, strengths[part, t.settings[left[index], part]] >> shift)
        still = 0
        for index in range(count):
            if strengths[part, t.settings[left[index], part]] >> shift == best:
                left[still] = left[index]
                still += 1
        count = still
    chosen = left[0]
    parts = t.settings.shape[1]
    for index in range(1, count):
        larger = False
        for back in range(parts - 1, -1, -1):
            mine, best_mask = t.settings[left[index], back], t.settings[chosen, back]
            if strengths[back, mine] != strengths[back, best_mask]:
                return AMBIGUOUS
        for back in range(parts - 1, -1, -1):
            mine, best_mask = t.settings[left[index], back], t.settings[chosen, back]
            if mine != best_mask:
                larger = mine > best_mask
                break
        if larger:
            chosen = left[index]
    return chosen


@njit(cache=True, inline="always")
def in_order(t: WayTables, index: Any, strengths: Array) -> Any:
    """Return whether no part of a setting outranks the part above it."""
    fine = True
    for part in range(t.settings.shape[1] - 1):
        size = t.sizes[part + 1]
        longer = cross(strengths[part, t.settings[index, part]], size)
        if cross(strengths[part + 1, t.settings[index, part + 1]], size) > longer:
            fine = False
            break
    return fine


@njit(cache=True)
def _list_legal(t: WayTables, strengths: Array, legal: Array) -> Any:
    """List the settings in which no part outranks the part above it; return their count."""
    count = 0
    for index in range(t.settings.shape[0]):
        if in_order(t, index, strengths):
            legal[count] = index
            count += 1
    return count


@njit(cache=True, nogil=True)
def set_rows(hands: Array, settings: Array, rules: Array, t: WayTables, first: Any, last: Any) -> None:
    """Set sorted hands ``first`` to ``last``: the setting's number (or the failure) and the rule's."""
    strengths = np.zeros((3, 128), np.int32)
    masks = np.zeros(15, np.int64)
    ranks = np.zeros(9, np.int64)
    groups = np.zeros(7, np.int64)
    flags = np.zeros(4, np.int64)
    legal = np.zeros(t.settings.shape[0], np.int64)
    left = np.zeros(t.settings.shape[0], np.int64)
    for row in range(first, last):
        cards = hands[row]
        flags[:] = 0
        flags[1] = 1 if gather_strengths(cards, t, strengths) else 0
        shape = _describe(cards, t, masks, ranks, groups, flags)
        count = _list_legal(t, strengths, legal)
        settings[row] = NO_RULE
        rules[row] = -1
        at = 0
        for rule in range(t.rules):
            tests, can, cannot = t.code[at + 1], t.code[at + 2], t.code[at + 3]
            body = at + _HEAD
            applies = _hand_passes(t.code, body, tests, shape, ranks, flags)
            body += 4 * tests
            if applies and can:
                applies = _can(
                    t.code, body, can, t.settings, legal, count, strengths, t.straights, ranks, groups
                )
            if applies and cannot:
                denied = _skip_filters(t.code, body, can)
                applies = not _can(
                    t.code, denied, cannot, t.settings, legal, count, strengths, t.straights, ranks, groups
                )
            if applies:
                require, prefer = t.code[at + 4], t.code[at + 5]
                rules[row] = rule
                settings[row] = _choose(
                    _skip_filters(t.code, body, can + cannot),
                    require,
                    prefer,
                    t,
                    legal,
                    count,
                    left,
                    strengths,
                    ranks,
                    groups,
                )
                break
            at += t.code[at]


@njit(cache=True, parallel=True, nogil=True)
def set_all(hands: Array, settings: Array, rules: Array, t: WayTables, chunk: Any) -> None:
    """Set every sorted hand, in chunks over the cores."""
    count = (hands.shape[0] + chunk - 1) // chunk
    for task in prange(count):
        set_rows(hands, settings, rules, t, task * chunk, min((task + 1) * chunk, hands.shape[0]))
