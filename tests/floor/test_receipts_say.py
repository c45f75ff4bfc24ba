"""What a receipt shows to each role, and what it says of rounds as they went: decided again, or why not."""

from __future__ import annotations

import pytest

from houseway.floor.receipts import check_receipt, read_receipt
from houseway.floor.receipts.words import ORDER_HIDDEN, ORDER_SHOWN
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from tests.floor.test_receipts import ANN, DAN, REGULATOR, gone_wrong, good, receipt_of, shown_in

NAMED = {
    *(Role.DEALER, Role.FLOORPERSON, Role.MANAGER, Role.KEY_HOLDER, Role.SURVEILLANCE),
    *(Role.ACCOUNTING, Role.REGULATOR, Role.ADMINISTRATOR),
}
"""Who is told who people are."""
OPENED = {Role.SURVEILLANCE, Role.REGULATOR}
"""Who is shown the order of a deck whose round is over."""


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.PLAYER])
def test_each_role_is_shown_persons_and_the_opened_deck_as_it_may_see_them(role: Role) -> None:
    data = good("pa-659a", Actor("", role))
    receipt = read_receipt(data)[0]
    paths = {path for _, path in shown_in(receipt)}
    named = role in NAMED
    assert ((b"id-of-Ann" in data), (b"id-of-Dan" in data)) == (named, named)
    for part in ("/by/id", "/cause"):
        assert any(path.endswith(part) for path in paths) is named
    for part in ("/payments/", "/stakes/"):
        assert any(part in path for path in paths) is named
    assert any("/seal/order" in path for path in paths) is (role in OPENED)
    assert (ORDER_SHOWN in receipt.proven) is (role in OPENED)
    assert (ORDER_HIDDEN in receipt.not_proven) is (role not in OPENED)
    assert (receipt.viewer.role, receipt.viewer.id) == (role, "")
    checked = check_receipt(data)
    assert "Who was paid what: a player's receipt decides it for their own wagers." in checked.not_decided


@pytest.mark.parametrize(("viewer", "at"), [(ANN, 2), (DAN, 5)])
def test_a_player_is_shown_their_own_payments_and_no_others(viewer: Actor, at: int) -> None:
    receipt = read_receipt(good("pa-659a", viewer))[0]
    shown = shown_in(receipt)
    people = {value for (_, path), value in shown.items() if path.endswith("/person")}
    assert people == {viewer.id} and receipt.viewer.id == viewer.id
    money = [path for _, path in shown if "/payments/" in path or "/stakes/" in path]
    assert money and not any("/movements/" in path for _, path in shown)
    positions = {
        value
        for (_, path), value in shown.items()
        if path.endswith("/position") and ("/payments/" in path or "/stakes/" in path)
    }
    assert positions == {at}


BANK = "What was paid: the bank pays others first, whose hands are not here."
NOTHING = "What was paid: no wager of this player was settled in the usual way."
METER = "What a progressive wager won: it depends on a meter that other tables share."


@pytest.mark.parametrize(
    ("game", "viewer", "wagers", "left"),
    [
        ("pa-575", ANN, ["main", "bonus"], []),
        ("pa-575", DAN, ["main", "bonus"], []),
        ("pa-659a", ANN, ["main", "fortune", "insurance"], [METER]),
        ("pa-659a", DAN, ["main", "fortune", "insurance"], [METER]),
        ("pa-670a", DAN, ["main", "fortune", "insurance"], [METER]),
        ("wa-fap", ANN, ["main", "fortune", "insurance"], [METER]),
        ("ca-fpgp", ANN, [], [BANK, NOTHING]),
        ("ca-fpgp", DAN, [], [BANK]),
    ],
)
def test_every_wager_of_a_player_is_decided_again_and_what_is_not_is_said(
    game: str, viewer: Actor, wagers: list[str], left: list[str]
) -> None:
    checked = check_receipt(good(game, viewer))
    at = 2 if viewer == ANN else 5
    again = [line for line in checked.shown if line.startswith("decided again: ")]
    assert all(line.startswith(f"decided again: position {at} ") for line in again)
    decided = [line.split(" ")[4].rstrip(":") for line in again]
    assert list(dict.fromkeys(word for word in decided if word != "ends")) == wagers
    assert decided.count("ends") == (0 if NOTHING in left else 1)
    assert list(checked.not_decided) == left


@pytest.mark.parametrize(
    ("story", "viewer", "left"),
    [
        ("a hand is surrendered", ANN, []),
        (
            "a hand is surrendered",
            DAN,
            ["How main at position 5 ended: it was not settled as usual.", NOTHING],
        ),
        ("the dealer's card is exposed", ANN, ["What was paid back: the round was void."]),
        ("the dealer's card is exposed", DAN, ["What was paid back: the round was void."]),
        ("a player's card is exposed", ANN, []),
        (
            "a player's card is exposed",
            DAN,
            ["What position 5 was paid: after the step “Report an exposed card”."],
        ),
    ],
)
def test_of_a_round_that_went_wrong_it_is_said_what_could_not_be_decided(
    story: str, viewer: Actor, left: list[str]
) -> None:
    checked = check_receipt(receipt_of(gone_wrong(story), viewer))
    assert list(checked.not_decided) == left
    again = [line for line in checked.shown if line.startswith("decided again: ")]
    assert len(again) == (0 if left else 3)


@pytest.mark.parametrize(
    ("story", "in_order"),
    [
        ("a hand is surrendered", True),
        ("the dealer's card is exposed", False),
        ("a player's card is exposed", False),
    ],
)
def test_hands_are_compared_with_the_opened_deck_where_nothing_irregular_moved_cards(
    story: str, in_order: bool
) -> None:
    checked = check_receipt(receipt_of(gone_wrong(story), REGULATOR))
    shown = "the hands that are shown come off the opened deck in the order of the deal" in checked.shown
    left = any(line.startswith("That every hand lies in the deck") for line in checked.not_decided)
    assert (shown, left) == (in_order, not in_order)
