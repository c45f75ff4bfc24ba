"""What a cardroom may and must choose in California, clause by clause."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from houseway.cli import main
from houseway.games import verify_active, verify_wagers
from houseway.games.opening import Notice, Opening, Pack, verify_open
from houseway.games.submission import EXAMPLES
from houseway.games.wagers import verify_bettors
from houseway.law import Problem
from houseway.money import cents
from tests.games.support import NOTHING, OWN_FORTUNE, Changes, accepted, problems, refused, rules
from tests.games.test_paytable_rows import golden

clause = pytest.mark.clause
CA = "ca-fpgp"
PACK = Pack(cards=53, jokers=1)


def on(schedule: int, **changes: object) -> Changes:
    return {"collection_schedule": schedule, **changes}


def placed(schedule: int, main: str, fortune: str = "0") -> tuple[Problem, ...]:
    return verify_wagers(rules(CA, on(schedule)), {"main": cents(main), "fortune": cents(fortune)})


def cites(found: tuple[Problem, ...]) -> set[str]:
    return {c for p in found for c in p.clauses}


@clause("ca.fpgp.table.seats")
def test_seven_seats_the_player_dealers_included() -> None:
    law = "ca.fpgp.table.seats"
    assert accepted(CA, {"table.seats": 7})
    assert refused(CA, {"table.seats": 8}, law)
    for positions, seats, fine in ((8, 7, False), (9, 8, False), (8, 8, True), (8, 9, True), (7, 9, True)):
        sizes = {"table.larger": True, "table.positions": positions, "table.seats": seats}
        assert refused(CA, sizes, law) is not fine and accepted(CA, sizes) is fine, sizes
        assert not refused(CA, sizes | {"table.seats": NOTHING}, law)


@clause("ca.fpgp.table.larger")
def test_a_larger_table_has_at_most_seven_active() -> None:
    large = rules(CA, {"table.larger": True, "table.seats": 9})
    assert verify_active(large, 6) == ()
    assert verify_active(large, 7) == ()
    assert cites(verify_active(large, 8)) == {"ca.fpgp.table.larger"}


@clause("ca.fpgp.table.backline")
def test_backline_betting_is_allowed_where_chosen() -> None:
    assert verify_bettors(rules(CA), 2) == ()
    assert cites(verify_bettors(rules(CA, {"table.backline": False}), 1)) == {"ca.fpgp.table.backline"}


@clause("ca.fpgp.deal.method")
def test_a_shuffling_machine_or_manual_dealing() -> None:
    assert accepted(CA, {"table.dealing": "shuffler"})
    assert accepted(CA, {"table.dealing": "manual"})
    assert refused(CA, {"table.dealing": NOTHING}, "ca.fpgp.deal.method")
    assert refused(CA, {"table.dealing": "hand"}, "ca.fpgp.deal.method")


OWN: Changes = {"wagers.fortune.own_paytable": OWN_FORTUNE}
ENVY: Changes = {
    "wagers.fortune.own_paytable": OWN_FORTUNE | {"envy": [{"hand": "four_of_a_kind", "pays": "$6"}]}
}


@clause("ca.fpgp.bonus.table")
def test_the_approved_bonus_table_changes_only_by_approval() -> None:
    assert refused(CA, OWN, "ca.fpgp.bonus.table")
    assert accepted(CA, OWN | {"approvals.fortune_paytable": "BGC-1"})
    assert rules(CA).paytable("fortune").id == "approved"


@clause("ca.fpgp.envy.table")
def test_the_approved_envy_table_changes_only_by_approval() -> None:
    one: Changes = ENVY | {"approvals.fortune_paytable": "BGC-1"}
    assert refused(CA, one, "ca.fpgp.envy.table")
    assert accepted(CA, one | {"approvals.envy_table": "BGC-2"})


def test_one_of_43_collection_schedules_is_chosen() -> None:
    assert accepted(CA, on(1)) and accepted(CA, on(43))
    (unknown,) = problems(CA, on(44))
    assert unknown.reason == "there are schedules 1 to 43"
    (none,) = problems(CA, {"collection_schedule": NOTHING})
    assert none.reason == "a collection schedule is chosen before the table opens"


CEASE = Notice(status="cease", source="Bureau letter 12", dated=date(2016, 7, 1))


@clause("ca.fpgp.collect.review.3")
def test_an_order_to_cease_keeps_every_table_shut() -> None:
    shut = verify_open(rules(CA), Opening(packs=(PACK,), notices=(CEASE,)))
    assert [p.clauses[0] for p in shut if p.blocks] == ["ca.fpgp.collect.review.3"]
    lifted = Notice(status="cleared", source="Bureau letter 13", dated=date(2016, 8, 1))
    assert verify_open(rules(CA), Opening(packs=(PACK,), notices=(lifted, CEASE))) == ()
    for other in ("under_review", "unlawful"):  # only a notice that the game is cleared lifts the order
        later = Notice(status=other, source="Bureau letter 13", dated=date(2016, 8, 1))
        assert verify_open(rules(CA), Opening(packs=(PACK,), notices=(CEASE, later))) == shut
    same_day = Notice(status="cleared", source="Bureau letter 11", dated=CEASE.dated)
    assert verify_open(rules(CA), Opening(packs=(PACK,), notices=(same_day, CEASE))) == shut
    assert verify_open(rules(CA), Opening(packs=(PACK,), notices=(CEASE, same_day))) == ()


def test_limits_hold_spot_by_spot_and_a_spot_without_a_rate_is_refused() -> None:
    assert placed(22, "$1,000", "$1,000") == ()
    assert placed(37, "$200", "$200") == ()
    assert cites(placed(34, "$300")) == {"ca.fpgp.collection.34"}


# --- the felt -----------------------------------------------------------------------------------


def felt(**changed: str) -> str:
    """Return what a felt prints, by the rows transcribed from the regulations, a few of them otherwise."""
    tables: dict[str, list[str]] = {"approved": [], "envy approved": []}
    for rows in golden().values():
        for row in rows:
            if row["game"] == CA and row["table"] in tables and row["pays"] != "none":
                pays = changed.get(f"{row['table'].split()[0]}_{row['hand']}", row["pays"])
                tables[row["table"]].append(f'{{ hand = "{row["hand"]}", pays = "{pays}" }}')
    lines, envy = (", ".join(of) for of in tables.values())
    return f"lines = [{lines}]\nenvy = [{envy}]\n"


def checked(capsys: pytest.CaptureFixture[str], game_id: str, path: Path, text: str) -> tuple[int, str]:
    """Have the command line check an example with a felt; return its exit code and what it says."""
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as stop:
        main(["submission", "check", str(EXAMPLES / game_id / "example.toml"), "--felt", str(path)])
    printed = capsys.readouterr()
    assert isinstance(stop.value.code, int)
    return stop.value.code, printed.out + printed.err


@clause("ca.fpgp.layout.paytable_match")
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (felt(approved_seven_card_straight_flush="8,000 to 1"), "flush pays 5,000 to 1: 8,000 to 1"),
        (felt(envy_four_of_a_kind="$6"), "four_of_a_kind pays $5: $6"),
        (felt().split("envy")[0], "four_of_a_kind pays $5: nothing"),
    ],
)
def test_the_felt_prints_the_table_in_force(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, wrong: str, said: str
) -> None:
    assert checked(capsys, CA, tmp_path / "felt.toml", felt()) == (0, "RS-CA-1 for ca-fpgp: lawful\n")
    code, printed = checked(capsys, CA, tmp_path / "felt.toml", wrong)
    assert code == 1 and f"{said} [ca.fpgp.layout.paytable_match]" in printed


def test_only_a_law_that_speaks_of_the_felt_judges_what_it_prints(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, printed = checked(capsys, "pa-575", tmp_path / "felt.toml", felt())
    assert code == 2 and "its law says nothing of what the felt prints" in printed
