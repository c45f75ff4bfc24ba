"""``houseway deal``: whole rounds through every step of the procedure, by itself or step by step."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import datetime, time
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.progress import track

from houseway.cli.output import AsJson, GameArgument, console, emit
from houseway.errors import InvalidInputError
from houseway.games import Rules, Submission, example_submission, read_submission, rules_for
from houseway.law import Problem
from houseway.ledger import player, show_units, units
from houseway.money import Cents, cents
from houseway.rng import Entropy, SeededEntropy, SystemEntropy
from houseway.rounds.auto import CLOSES_BETS, Bets, Played, person_at, play_rounds, usual_wagers
from houseway.rounds.record import Record, dealer_program, write_record
from houseway.rounds.replay import differences
from houseway.rounds.sitting import new_table, outlook, perform
from houseway.rounds.state import Phase, Table
from houseway.rounds.step import Actor, Command, Event, Moment, Role
from houseway.rounds.writing import recorded_event, said

NotYet = tuple[tuple[str, Problem], ...]
MANY: Final = 20
"""From so many rounds on only the sums are printed."""
THOUSANDS = 2_000
"""From so many rounds on it is worth loading the kernel that sets hands."""


def deal_command(
    game: GameArgument,
    seats: Annotated[str | None, typer.Option(help="The positions in play, such as 2,3,5; else all.")] = None,
    wagers: Annotated[str | None, typer.Option(help="Such as main=$10,fortune=$5.")] = None,
    rounds: Annotated[int, typer.Option(help="How many rounds to play.")] = 1,
    seed: Annotated[str | None, typer.Option(help="Deal the same cards again.")] = None,
    method: Annotated[str | None, typer.Option(help="The way of dealing, such as manual_shoe.")] = None,
    start: Annotated[str | None, typer.Option(help="How the start is found, such as shaker.")] = None,
    submission: Annotated[Path | None, typer.Option(help="A rules submission; else our example.")] = None,
    records: Annotated[Path | None, typer.Option(help="A folder to write the round records to.")] = None,
    step_by_step: Annotated[bool, typer.Option("--step-by-step", help="Say what may be done next.")] = False,
    as_json: AsJson = False,
) -> None:
    """Play rounds by themselves, every step as the law orders it, and write their records."""
    rules = _rules(game, submission, method, start)
    bets = _bets(rules, seats, wagers)
    if rounds < 1:
        raise InvalidInputError("at least one round", value=rounds)
    entropy: Entropy = SystemEntropy() if seed is None else SeededEntropy(seed)
    moment = Moment(datetime.combine(rules.submission.law_as_of, time(12)), entropy)
    if step_by_step:
        _step_by_step(new_table(rules), bets, moment, rounds)
        return
    if rounds >= THOUSANDS:
        from houseway.houseways.batch import hasten  # noqa: PLC0415 - numba only when it is worth loading

        hasten(dealer_program(rules))
    played = (one for _, one in play_rounds(new_table(rules), bets, moment, rounds))
    _report(_recorded(played, game, rounds, records, quiet=as_json or rounds == 1), rounds, as_json=as_json)


def _rules(game: str, file: Path | None, method: str | None, start: str | None) -> Rules:
    """Return the rules of the table: the submission, with another way of dealing where that is asked for."""
    chosen = read_submission(file) if file else example_submission(game)
    if chosen.game != game:
        raise InvalidInputError("the submission is for another game", value=chosen.game)
    changes: dict[str, object] = {}
    if method:
        shuffler = "manual" if method in ("manual_shoe", "manual") else "automated"
        changes |= {"dealing": method, "shuffler": shuffler}
    if start:
        changes["start_methods"] = (start,)
    table = chosen.table.model_copy(update=changes)
    changed: Submission = chosen.model_copy(update={"table": table})
    rules = rules_for(changed)
    if not rules.game.procedure:
        raise InvalidInputError("this game is not played step by step yet", value=game)
    return rules


def _bets(rules: Rules, seats: str | None, wagers: str | None) -> Bets:
    first = 1 if rules.game.banked_by == "player_dealer" else 2
    known = range(first, rules.submission.table.positions + first)
    try:
        positions = [int(seat) for seat in seats.split(",")] if seats else list(known)
    except ValueError:
        raise InvalidInputError("positions are numbers, such as 2,3,5", value=seats) from None
    for at in positions:
        if at not in known or positions.count(at) > 1:
            raise InvalidInputError(f"positions are {known[0]} to {known[-1]}, each once", value=at)
    each = usual_wagers(rules) if wagers is None else dict(_wagers(wagers))
    return dict.fromkeys(positions, each)


def _wagers(text: str) -> Iterator[tuple[str, Cents]]:
    for one in text.split(","):
        name, _, amount = one.partition("=")
        if not amount:
            raise InvalidInputError("a wager is written main=$10", value=one)
        yield name.strip(), cents(amount)


def _recorded(
    played: Iterator[Played], game: str, rounds: int, folder: Path | None, *, quiet: bool
) -> Iterator[tuple[Played, Record]]:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    numbered = enumerate(played, start=1)
    shown = numbered if quiet else track(numbered, total=rounds, description="dealing", console=console())
    for number, one in shown:
        record = one.record(f"{game}-{number}")
        if folder is not None:
            (folder / f"{record.id}.toml").write_text(write_record(record), encoding="utf-8")
        yield one, record


def _report(played: Iterator[tuple[Played, Record]], rounds: int, *, as_json: bool) -> None:
    rows: list[dict[str, object]] = []
    won: dict[str, int] = {}
    steps = 0
    for one, record in played:
        steps += len(one.events)
        people = [hand.person for hand in one.play.active()]
        people += [one.play.banker.person] if one.play.banker else []
        nets = {person: _net(one, person) for person in people}
        for person, net in nets.items():
            won[person] = won.get(person, 0) + net
        found = differences(record) if rounds <= MANY else ()
        rows.append(
            {
                "round": record.id,
                "steps": len(one.events),
                "void": record.void.reason if record.void else None,
                "net": {person: show_units(net) for person, net in nets.items()},
                "replay": "identical" if not found else list(found),
            }
        )
    if as_json:
        emit(rows)
        return
    for row in rows if rounds <= MANY else ():
        line = ", ".join(f"{person} {net}" for person, net in row["net"].items())  # type: ignore[attr-defined]
        console().print(f"{row['round']}: {row['steps']} steps; {line}; replay {row['replay']}", markup=False)
    total = ", ".join(f"{person} {show_units(net)}" for person, net in won.items())
    console().print(f"{len(rows)} rounds, {steps} steps: {total}", markup=False)


def _net(one: Played, person: str) -> int:
    """Return what a person won or lost in a round, the stakes counted."""
    account = player(person)
    back = sum(p.units for p in one.play.payments if p.to == account)
    taken = sum(p.units for p in one.play.payments if p.source == account)
    hands = [hand for hand in one.play.active() if hand.person == person]
    staked = sum(units(amount) for hand in hands for amount in hand.wagers.values())
    banker = one.play.banker
    put_up = units(banker.stake) if banker and banker.person == person else 0
    return back - taken - staked - put_up


# --- step by step ---------------------------------------------------------------------------------


def _step_by_step(table: Table, bets: Bets, moment: Moment, rounds: int) -> None:
    """Show what each person may do next and why not the rest; Enter does the first thing listed."""
    for at in sorted(bets):
        table = _done(table, Command("sit", person_at(table, at), at), moment)
    while table.rounds < rounds:
        banker = table.play.bank_seat
        bare = [at for at in sorted(bets) if at not in table.play.hands and at != banker]
        bank_ready = not table.banked or table.play.stake
        if table.phase is Phase.BETTING and table.deck and bank_ready and bare:
            wagers = {w: a for w, a in bets[bare[0]].items() if w != "double_down"}
            table = _done(table, Command("wager", _at(table, bare[0]), bare[0], {"wagers": wagers}), moment)
            continue
        view = outlook(table, moment.now)
        choices = [c for c in view.next if c.step not in CLOSES_BETS or not bare]
        if not choices:
            raise InvalidInputError("nobody can do anything more", value=str(table.phase))
        _show(table, choices, view.possible, view.not_yet)
        chosen = _choose(len(choices))
        if chosen is None:
            return
        table = _done(table, choices[chosen], moment)


def _at(table: Table, position: int) -> Actor:
    return Actor(table.seats[position].person, Role.PLAYER)


def _show(table: Table, choices: list[Command], possible: tuple[str, ...], not_yet: NotYet) -> None:
    out = console()
    out.print(f"\n[bold]{table.phase}[/bold], round {table.rounds + 1}")
    for number, command in enumerate(choices, start=1):
        where = f" at {command.position}" if command.position else ""
        details = said(dict(command.details)) if command.step != "open_table" else "every item attested"
        out.print(f"  {number}. {command.by}: {_words(command.step)}{where}  {details}", markup=False)
    if possible:
        out.print(f"  if it happens: {', '.join(_words(name) for name in possible)}", markup=False)
    reasons: dict[str, list[str]] = {}
    for name, problem in not_yet:
        law = f" [{', '.join(problem.clauses)}]" if problem.clauses else ""
        reasons.setdefault(problem.reason + law, []).append(_words(name))
    for reason, names in reasons.items():
        out.print(f"  not {', '.join(names)}: {reason}", markup=False, style="dim")


def _choose(count: int) -> int | None:
    """Ask which; without a terminal the first is taken."""
    if not sys.stdin.isatty():
        return 0
    while True:
        text = input(f"which (1 to {count}, Enter for the first, q to stop)? ").strip()
        if text in ("q", "quit"):
            return None
        if not text:
            return 0
        if text.isdigit() and 1 <= int(text) <= count:
            return int(text) - 1
        print("a number of the list, please")


def _done(table: Table, command: Command, moment: Moment) -> Table:
    table, events = perform(table, command, moment)
    for event in events:
        console().print(f"> {_line(event)}", markup=False)
    return table


def _line(event: Event) -> str:
    recorded = recorded_event(event)
    where = f" at {recorded.position}" if recorded.position else ""
    details = "; ".join(f"{k} {v}" for k, v in recorded.details.items() if k != "checklist")
    law = f" [{', '.join(recorded.clauses)}]" if recorded.clauses else ""
    alarms = "".join(f" ! {alert}" for alert in recorded.alerts)
    return f"{recorded.actor}: {_words(recorded.step)}{where} {details}{law}{alarms}"


def _words(step: str) -> str:
    return step.replace("_", " ")
