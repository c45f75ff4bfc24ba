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

cross = njit(cache=True, inline="always")(plain_cross)


class WayTables(NamedTuple):
    """A program and what it is run against; ``houseway.houseways.batch`` fills it."""

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


@njit(cache=True)
def gather(cards: Array, t: WayTables, strengths: Array) -> Any:
    """Fill the strengths of every subset that can be a part; answer whether the hand is complete."""
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
            found = t.strengths0[number]
            if t.complete_levels >> (found >> 20) & 1:
                complete = True
        elif part == 1:
            found = t.strengths1[number]
        else:
            found = t.strengths2[number]
        strengths[part, mask] = found
    return complete


@njit(cache=True)
def _look(cards: Array, t: WayTables, masks: Array, facts: Array, groups: Array, flags: Array) -> Any:
    """Fill facts, groups and flags of a sorted hand; return its shape's number."""
    masks[:] = 0
    facts[:] = 0
    groups[:] = 0
    held = 0
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
            if held >> rank & 1:
                distinct = False
            held |= 1 << rank
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
            if tops < 2:
                facts[6 + tops] = rank
                tops += 1
        if count >= 4:
            first = count
            facts[0], groups[0] = rank, mask
        elif count == 3:
            if trips < 2:
                facts[1 + trips], groups[1 + trips] = rank, mask
            trips += 1
        elif count == 2:
            if pairs < 3:
                facts[3 + pairs], groups[3 + pairs] = rank, mask
            pairs += 1
    flags[2] = 1 if suits & (suits - 1) == 0 else 0
    flags[3] = 0
    if distinct:
        for run in t.runs:
            if held & ~run == 0:
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


@njit(cache=True)
def _passes(code: Any, at: Any, rows: Any, masks: Any, strengths: Array, facts: Array, groups: Array) -> Any:
    """Whether a setting passes every row of a filter."""
    for row in range(rows):
        base = at + 4 * row
        kind, part, a, b = code[base], code[base + 1], code[base + 2], code[base + 3]
        mask = masks[part]
        strength = strengths[part, mask]
        level, lead = strength >> 20, strength >> 16 & 15
        if kind == 3:
            fine = a >> level & 1 == 1
        elif kind == 4:
            fine = a <= lead <= b
        elif kind == 5:
            fine = lead == facts[a]
        elif kind == 6:
            fine = level >= 1 or lead >= a
        elif kind == 7:
            fine = groups[a] != 0 and mask & groups[a] == groups[a]
        else:
            second = strength >> 12 & 15
            fine = a <= second <= b
        if not fine:
            return False
    return True


@njit(cache=True)
def _hand_passes(code: Any, at: Any, rows: Any, shape: Any, facts: Array, flags: Array) -> Any:
    for row in range(rows):
        base = at + 4 * row
        kind, a, b, c = code[base], code[base + 1], code[base + 2], code[base + 3]
        if kind == 0:
            fine = b >> shape & 1 == 1
        elif kind == 1:
            fine = b <= facts[a] and facts[a] <= c
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
    count: Any,
    left: Array,
    strengths: Array,
    facts: Array,
    groups: Array,
) -> Any:
    """Return the chosen setting, ``EMPTY`` or ``AMBIGUOUS``."""
    kept = 0
    for index in range(count):
        masks = t.settings[legal[index]]
        here = at
        for _ in range(alternatives):
            rows = t.code[here]
            if _passes(t.code, here + 1, rows, masks, strengths, facts, groups):
                left[kept] = legal[index]
                kept += 1
                break
            here += 1 + 4 * rows
    if kept == 0:
        return EMPTY
    here = at
    for _ in range(alternatives):
        here += 1 + 4 * t.code[here]
    for place in range(preferences):
        part, shift = t.code[here + place], 0
        if part >= _LEAD_ONLY:
            part, shift = part - _LEAD_ONLY, 16
        best = -1
        for index in range(kept):
            best = max(best, strengths[part, t.settings[left[index], part]] >> shift)
        still = 0
        for index in range(kept):
            if strengths[part, t.settings[left[index], part]] >> shift == best:
                left[still] = left[index]
                still += 1
        kept = still
    chosen = left[0]
    parts = t.settings.shape[1]
    for index in range(1, kept):
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
    """Whether no part of a setting outranks the part above it."""
    fine = True
    for part in range(t.settings.shape[1] - 1):
        ranks = t.sizes[part + 1]
        longer = cross(strengths[part, t.settings[index, part]], ranks)
        if cross(strengths[part + 1, t.settings[index, part + 1]], ranks) > longer:
            fine = False
            break
    return fine


@njit(cache=True, nogil=True)
def set_rows(hands: Array, settings: Array, rules: Array, t: WayTables, first: Any, last: Any) -> None:
    """Set sorted hands ``first`` to ``last``: the setting's number (or what went wrong) and the rule's."""
    strengths = np.zeros((3, 128), np.int32)
    masks = np.zeros(15, np.int64)
    facts = np.zeros(8, np.int64)
    groups = np.zeros(7, np.int64)
    flags = np.zeros(4, np.int64)
    legal = np.zeros(t.settings.shape[0], np.int64)
    left = np.zeros(t.settings.shape[0], np.int64)
    for row in range(first, last):
        cards = hands[row]
        flags[:] = 0
        flags[1] = 1 if gather(cards, t, strengths) else 0
        shape = _look(cards, t, masks, facts, groups, flags)
        count = 0
        for index in range(t.settings.shape[0]):
            if in_order(t, index, strengths):
                legal[count] = index
                count += 1
        settings[row] = NO_RULE
        rules[row] = -1
        at = 0
        for rule in range(t.rules):
            tests, can, alternatives, preferences = t.code[at], t.code[at + 1], t.code[at + 2], t.code[at + 3]
            body = at + 4
            after = body + 4 * (tests + can)
            applies = _hand_passes(t.code, body, tests, shape, facts, flags)
            if applies and can:
                applies = False
                for index in range(count):
                    if _passes(
                        t.code, body + 4 * tests, can, t.settings[legal[index]], strengths, facts, groups
                    ):
                        applies = True
                        break
            if applies:
                rules[row] = rule
                settings[row] = _choose(
                    after, alternatives, preferences, t, legal, count, left, strengths, facts, groups
                )
                break
            for _ in range(alternatives):
                after += 1 + 4 * t.code[after]
            at = after + preferences


@njit(cache=True, parallel=True, nogil=True)
def set_all(hands: Array, settings: Array, rules: Array, t: WayTables, chunk: Any) -> None:
    """Set every sorted hand, in chunks over the cores."""
    count = (hands.shape[0] + chunk - 1) // chunk
    for task in prange(count):
        set_rows(hands, settings, rules, t, task * chunk, min((task + 1) * chunk, hands.shape[0]))
