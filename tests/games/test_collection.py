"""The 43 collection schedules: every band edge, every gap, and what the three paragraphs say."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from houseway.cli import main
from houseway.errors import UnknownNameError
from houseway.games import collection
from houseway.games.collection import Band, FeeBasis, NoRateError, Schedule, schedule, schedules
from houseway.money import Cents, cents, dollars

clause = pytest.mark.clause
GOLDEN = Path(__file__).parent / "golden" / "collection_bands.csv"
Bands = list[tuple[int, int | None, Cents]]


def golden() -> dict[int, dict[FeeBasis, Bands]]:
    found: dict[int, dict[FeeBasis, Bands]] = defaultdict(lambda: defaultdict(list))
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            high = int(row["high"]) if row["high"] else None
            band = int(row["low"]), high, cents(row["fee"])
            found[int(row["schedule"])][FeeBasis(row["basis"])].append(band)
    return found


def expected(bands: Bands, amount: int) -> Cents | None:
    return next((fee for low, high, fee in bands if low <= amount and (high is None or amount <= high)), None)


def edges(bands: Bands) -> set[int]:
    at = {edge for low, high, _ in bands for edge in (low, high) if edge is not None}
    return {edge + step for edge in at for step in (-1, 0, 1)} | {999_999}


@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=clause(f"ca.fpgp.collection.{n}")) for n in range(1, 44)]
)
def test_every_band_edge_pays_the_printed_fee_and_every_gap_is_refused(
    capsys: pytest.CaptureFixture[str], number: int
) -> None:
    first = min(low for bands in golden()[number].values() for low, _, _ in bands)
    with pytest.raises(SystemExit) as stop:
        main(["fee", str(number), str(first), "--json"])
    assert stop.value.code == 0
    looked_up = json.loads(capsys.readouterr().out)
    assert looked_up["clause"] == f"ca.fpgp.collection.{number}"
    for basis, bands in golden()[number].items():
        fee = expected(bands, first)
        assert looked_up["fees"].get(basis) == (None if fee is None else dollars(fee))
        for amount in sorted(edges(bands)):
            fee = expected(bands, amount)
            if fee is None:
                with pytest.raises(NoRateError, match=f"schedule {number}: no posted"):
                    schedule(number).rate(basis, Cents(amount * 100))
            else:
                assert schedule(number).rate(basis, Cents(amount * 100)) == fee, (basis, amount)


def test_the_golden_rows_and_the_data_name_the_same_bands_and_limits() -> None:
    assert set(schedules()) == set(golden()) == set(range(1, 44))
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found = schedule(int(row["schedule"]))
            assert (found.clause, found.table_min, found.table_max) == (
                row["clause"],
                cents(row["table_min"]),
                cents(row["table_max"]),
            )
    assert sum(len(s.bands) for s in schedules().values()) == 247


@pytest.mark.parametrize(
    ("number", "basis", "amount"),
    [
        (2, FeeBasis.PLAYER_DEALER, "$4"),  # below the first band of a $3 table
        (33, FeeBasis.PLAYER_PER_SPOT, "$51"),  # far below the table maximum
        (34, FeeBasis.PLAYER_PER_SPOT, "$101"),  # the step of five dollars leaves $101-$104
        (34, FeeBasis.PLAYER_PER_SPOT, "$104"),
        (43, FeeBasis.PLAYER_SUM, "$601"),
        (43, FeeBasis.PLAYER_SUM, "$999"),
        (1, FeeBasis.PLAYER_DEALER, "$25.50"),  # between whole dollars
        (1, FeeBasis.PLAYER_DEALER, "$0"),
    ],
)
def test_an_amount_that_no_band_covers_is_refused(number: int, basis: FeeBasis, amount: str) -> None:
    with pytest.raises(NoRateError):
        schedule(number).rate(basis, cents(amount))


@pytest.mark.parametrize("number", [5, 10, 12, 14, 15])
def test_a_top_band_printed_without_a_plus_is_open_ended(number: int) -> None:
    top = schedule(number).bands_of(FeeBasis.PLAYER_DEALER)[-1]
    assert top.high is None
    assert schedule(number).rate(FeeBasis.PLAYER_DEALER, cents("$90,000")) == top.fee


def test_there_is_no_schedule_0_or_44() -> None:
    for number in (0, 44):
        with pytest.raises(UnknownNameError):
            schedule(number)


def pd_fee(number: int, *wagers: str) -> Cents:
    return schedule(number).player_dealer_fee(cents(w) for w in wagers)


def player_fee(number: int, *spots: str) -> Cents:
    return schedule(number).player_fee([cents(s) for s in spots])


@clause("ca.fpgp.collect.s1_32.no_player_fee")
def test_players_pay_nothing_under_schedules_1_to_32() -> None:
    assert player_fee(7, "$500") == 0


@clause("ca.fpgp.collect.s1_32.pd_fee", "ca.fpgp.collect.s1_32.total_action")
def test_the_player_dealer_pays_by_total_table_action() -> None:
    assert pd_fee(7, "$50", "$5", "$100", "$45") == cents("$2")
    assert pd_fee(7, "$50", "$5", "$100", "$46") == cents("$3")
    assert pd_fee(8, "$25", "$5", "$40", "$30") == cents("$1")
    assert pd_fee(8, "$25", "$5", "$41", "$30") == cents("$2")


@clause("ca.fpgp.collect.s33_36.player_fee")
def test_33_to_36_each_spot_pays_its_own_fee() -> None:
    assert player_fee(34, "$100", "$10") == cents("$2")
    assert player_fee(34, "$105") == cents("$2")
    assert player_fee(33, "$10", "$50") == cents("$1")


@clause("ca.fpgp.collect.s33_36.pd_fee", "ca.fpgp.collect.s33_36.total_action")
def test_33_to_36_the_player_dealer_pays_by_total_table_action() -> None:
    assert pd_fee(33, "$200") == cents("$1")
    assert pd_fee(33, "$201") == cents("$2")
    assert pd_fee(34, "$25", "$10", "$35", "$30") == cents("$1")
    assert pd_fee(34, "$25", "$10", "$36", "$30") == cents("$2")


@clause("ca.fpgp.collect.s37_43.player_fee")
def test_37_to_43_a_player_pays_by_the_sum_of_his_wagers() -> None:
    assert player_fee(37, "$50", "$10") == cents("$1")
    assert player_fee(37, "$200", "$200") == cents("$4")


@clause("ca.fpgp.collect.s37_43.pd_fee", "ca.fpgp.collect.s37_43.total_action")
def test_37_to_43_the_player_dealer_pays_by_total_table_action() -> None:
    assert pd_fee(40, "$149") == cents("$0.50")
    assert pd_fee(40, "$150") == cents("$1")
    assert pd_fee(40, "$1,001") == cents("$4")
    assert pd_fee(38, "$100", "$10", "$49", "$40") == cents("$0.50")
    assert pd_fee(38, "$100", "$10", "$50", "$40") == cents("$1")


FLAT = [
    ("ca.fpgp.collect.s1_32.flat_rates", 31, FeeBasis.PLAYER_DEALER, "5 10 15 25 50"),
    ("ca.fpgp.collect.s33_36.flat_rates", 36, FeeBasis.PLAYER_PER_SPOT, "1 2 3 4 5"),
    ("ca.fpgp.collect.s37_43.flat_rates", 43, FeeBasis.PLAYER_SUM, "1 2 5 7"),
]


@pytest.mark.parametrize(
    ("number", "basis", "fees"), [pytest.param(n, b, f, marks=clause(c), id=c) for c, n, b, f in FLAT]
)
def test_fees_are_flat_within_a_band(number: int, basis: FeeBasis, fees: str) -> None:
    bands = schedule(number).bands_of(basis)
    assert [band.fee for band in bands] == [cents(fee) for fee in fees.split()]
    for band in bands:
        assert schedule(number).rate(basis, band.low) == band.fee
        assert band.high is None or schedule(number).rate(basis, band.high) == band.fee


DATA = Path(collection.__file__).parent / "data" / "ca-fpgp"
LookUp = Callable[[int, str, list[str]], tuple[int, str]]


@pytest.fixture
def look_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[LookUp]:
    """Let the command line look a fee up in a schedule whose player-dealer bands are printed otherwise."""

    def printed(number: int, amount: str, bands: list[str]) -> tuple[int, str]:
        text = (DATA / "collection-bands.csv").read_text(encoding="utf-8")
        head = re.search(rf"^ca\.fpgp\.collection\.{number},.*,player_dealer,", text, re.MULTILINE)
        assert head is not None
        kept = [line for line in text.splitlines() if not line.startswith(head[0])]
        new = [f"{head[0]}{band}," for band in bands]
        (tmp_path / "collection-bands.csv").write_text("\n".join([*kept, *new]) + "\n", encoding="utf-8")
        collection.schedules.cache_clear()
        with pytest.raises(SystemExit) as stop:
            main(["fee", str(number), amount])
        said = capsys.readouterr()
        assert isinstance(stop.value.code, int)
        return stop.value.code, said.out + said.err

    shutil.copytree(DATA, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(collection, "_FOLDER", tmp_path)
    yield printed
    collection.schedules.cache_clear()


def bands(count: int, fee: str = "1.00") -> list[str]:
    """Return so many bands of ten dollars, each for the same fee."""
    return [f"{low},{low + 9},{fee}" for low in range(1, count * 10, 10)]


FIVE = [
    ("ca.fpgp.collect.s1_32.max_five", 1),
    ("ca.fpgp.collect.s33_36.max_five", 33),
    ("ca.fpgp.collect.s37_43.max_five", 37),
]


@pytest.mark.parametrize("number", [pytest.param(n, marks=clause(c), id=c) for c, n in FIVE])
def test_at_most_five_rates(look_up: LookUp, number: int) -> None:
    code, said = look_up(number, "$11", bands(5))
    assert code == 0 and "player dealer: $1" in said
    code, said = look_up(number, "$11", bands(6))
    assert code != 0 and "at most 5 rates" in said


PERCENT = [
    ("ca.fpgp.collect.s1_32.no_percentage", 22, "player_dealer", "$101", "$500", "$2"),
    ("ca.fpgp.collect.s33_36.no_percentage", 36, "player_per_spot", "$405", "$500", "$5"),
    ("ca.fpgp.collect.s37_43.no_percentage", 42, "player_dealer", "$100", "$300", "$0.50"),
]


@pytest.mark.parametrize(
    ("law", "number", "basis", "low", "high", "fee"),
    [pytest.param(*row, marks=clause(row[0]), id=row[0]) for row in PERCENT],
)
def test_no_fee_is_a_percentage(
    look_up: LookUp,
    capsys: pytest.CaptureFixture[str],
    law: str,
    number: int,
    basis: str,
    low: str,
    high: str,
    fee: str,
) -> None:
    for amount in (low, high):
        with pytest.raises(SystemExit):
            main(["fee", str(number), amount, "--json"])
        assert json.loads(capsys.readouterr().out)["fees"][basis] == fee
    code, said = look_up(number, low, bands(5, "1%"))
    assert code != 0 and "never a percentage" in said and law in said


def test_overlapping_bands_are_refused() -> None:
    found = schedule(1)
    fields = {name: getattr(found, name) for name in ("number", "clause", "table_min", "table_max", "group")}
    first, second = (
        Band(basis=FeeBasis.PLAYER_DEALER, low=Cents(low), high=Cents(low + 900), fee=Cents(50))
        for low in (100, 1100)
    )
    with pytest.raises(ValueError, match="overlap or are out of order"):
        Schedule(bands=(second, first), **fields)
