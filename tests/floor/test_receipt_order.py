"""The entries of a receipt: each in its place, none left out, and the round ending where they do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from houseway.floor.receipts import BrokenReceiptError, Receipt, check_receipt, read_receipt
from houseway.floor.receipts.model import EntryProof, write_receipt
from tests.floor.test_receipts import ANN, NOTARY, REGULATOR, good, shown_in


@pytest.fixture(scope="module")
def whole() -> Receipt:
    return read_receipt(good("pa-575", REGULATOR))[0]


def refusal(receipt: Receipt) -> BrokenReceiptError:
    """Return why a receipt is refused that the floor has signed."""
    with pytest.raises(BrokenReceiptError) as refused:
        check_receipt(write_receipt(receipt, NOTARY.signer))
    return refused.value


def places(receipt: Receipt) -> list[int]:
    return [entry.version for entry in receipt.entries]


@pytest.mark.parametrize("at", [1, 2, 3, -3, -2])
def test_an_entry_that_is_left_out_is_named(whole: Receipt, at: int) -> None:
    left = [*whole.entries]
    gone = left.pop(at)
    error = refusal(replace(whole, entries=tuple(left)))
    assert "an entry is left out" in str(error) and error.value == gone.version


def test_a_receipt_of_no_entries_shows_nothing_of_the_round(whole: Receipt) -> None:
    assert "it has no entry of the round" in str(refusal(replace(whole, entries=())))


def test_a_receipt_without_its_last_entry_does_not_end(whole: Receipt) -> None:
    error = refusal(replace(whole, entries=whole.entries[:-1]))
    assert "the round does not end in it" in str(error)
    left = set(places(whole)[:-1])
    steps = [value for (at, path), value in shown_in(whole).items() if at in left and path.endswith("/seq")]
    assert error.value == max(steps) > min(steps)


Change = Callable[[EntryProof], EntryProof]
ELSEWHERE: dict[str, Change] = {
    "leaf before": lambda entry: replace(entry, leaf=entry.leaf - 1),
    "leaf after": lambda entry: replace(entry, leaf=entry.leaf + 1),
    "version before": lambda entry: replace(entry, version=entry.version - 1),
    "version after": lambda entry: replace(entry, version=entry.version + 1),
    "proof short": lambda entry: replace(entry, proof=entry.proof[:-1]),
    "proof long": lambda entry: replace(entry, proof=(*entry.proof, entry.entry)),
}


@pytest.mark.parametrize("change", ELSEWHERE)
@pytest.mark.parametrize("at", [0, 3, -1])
def test_an_entry_is_only_where_it_stands_in_the_tree(whole: Receipt, at: int, change: str) -> None:
    entries = [*whole.entries]
    entries[at] = ELSEWHERE[change](entries[at])
    error = str(refusal(replace(whole, entries=tuple(entries))))
    assert f"entry {entries[at].version} is not in the tree" in error


@pytest.mark.parametrize("at", [0, 1, -1])
def test_what_committed_to_the_deck_stands_before_the_round(whole: Receipt, at: int) -> None:
    again = replace(whole, committed=(whole.entries[at],))
    assert "entries are not in the order of the log" in str(refusal(again))


def test_a_receipt_of_one_round_is_none_of_another(whole: Receipt) -> None:
    error = refusal(replace(whole, round=2))
    assert "a step is of another round" in str(error) and error.value == 1


def test_two_rounds_in_one_receipt_go_on_after_the_end(whole: Receipt) -> None:
    second = read_receipt(good("pa-575", REGULATOR, 2))[0]
    both = replace(whole, entries=(*whole.entries, *second.entries))
    assert refusal(both)


def test_a_receipt_tells_how_many_entries_and_steps_it_has(whole: Receipt) -> None:
    checked = check_receipt(good("pa-575", REGULATOR))
    count = len(whole.entries)
    assert checked.shown[0] == f"signed by {NOTARY.verifier}"
    assert checked.shown[1].startswith(f"{count} entries of t1, round 1, stand in a signed tree of ")
    assert f" {checked.size:,}" in checked.shown[1]
    assert checked.shown[2].endswith(" steps, none left out")


def test_what_is_shown_of_whom_depends_on_who_reads() -> None:
    assert "Who was paid what: a player's receipt" in "".join(
        check_receipt(good("pa-575", REGULATOR)).not_decided
    )
    assert "Who was paid what: a player's receipt" not in "".join(
        check_receipt(good("pa-575", ANN)).not_decided
    )


def test_another_game_than_that_of_the_rules_is_refused() -> None:
    receipt = read_receipt(good("pa-575", ANN))[0]
    assert "the rules are of another game" in str(refusal(replace(receipt, game="pa-659a")))
