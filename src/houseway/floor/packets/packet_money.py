"""What moved in a round: every amount with its reason and its clauses, the meters, and each person's sum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from houseway.floor.packets import model
from houseway.floor.packets.happenings import Happening, person
from houseway.games import Rules
from houseway.ledger import Account, AccountKind, Movement, show_units
from houseway.rounds.explain import Story
from houseway.rounds.outcomes import Moves
from houseway.settlement import Payment

_PLACES: Mapping[AccountKind, str] = {
    AccountKind.INVENTORY: "the table's chips",
    AccountKind.CAGE: "the cage",
    AccountKind.COLLECTIONS: "the collection",
    AccountKind.SEED: "the house, for the meter",
}


def moves_of(happening: Happening, story: Story, number: int) -> Iterator[model.Move]:
    """Yield the amounts that an event moved, numbered on from ``number``."""
    outcome = happening.event.outcome
    if not isinstance(outcome, Moves):
        return
    moved: Iterable[Payment | Movement] = (*outcome.stakes, *outcome.payments, *outcome.movements)
    for at, payment in enumerate(moved, start=number):
        yield _move(happening, story, at, payment)


def _move(happening: Happening, story: Story, number: int, moved: Payment | Movement) -> model.Move:
    event = happening.event
    plain = model.Move(
        number=number,
        step=event.seq,
        at=event.at,
        by=person(event.by),
        kind="movement",
        amount=show_units(moved.units),
        units=moved.units,
        source=place(moved.source, story),
        to=place(moved.to, story),
        reason=moved.reason,
        clauses=moved.clauses,
    )
    if isinstance(moved, Movement):
        return plain
    return model.changed(
        plain,
        kind=str(moved.kind),
        position=moved.position,
        person=moved.person,
        name=story.name(moved.person) if moved.person else "",
        wager=moved.wager,
        wager_name=wager_name(happening.rules, moved.wager),
    )


def wager_name(rules: Rules, wager: str) -> str:
    """Return what a wager is called."""
    names = {terms.id: terms.name for terms in rules.game.wager}
    return names.get(wager, wager.replace("_", " "))


def place(account: Account, story: Story) -> str:
    """Return the place of an account in words."""
    if account.kind is AccountKind.PLAYER:
        return story.name(account.name)
    if account.kind is AccountKind.PENDING:
        whose = f"{story.name(account.name)}, " if account.name else ""
        return f"the layout: {whose}{wager_name(story.rules, account.wager)} at {account.position}"
    if account.kind is AccountKind.BANK:
        return f"the bank of {story.name(account.name)}"
    if account.kind in (AccountKind.METER, AccountKind.RESERVE):
        return f"the {account.kind} {account.name}"
    return _PLACES[account.kind]


def totals_of(happenings: Iterable[Happening], story: Story) -> Iterator[model.Total]:
    """Yield what every person put on the table and got back."""
    out: dict[str, int] = {}
    back: dict[str, int] = {}
    for happening in happenings:
        outcome = happening.event.outcome
        for moved in (*outcome.stakes, *outcome.payments) if isinstance(outcome, Moves) else ():
            for account, sums in ((moved.source, out), (moved.to, back)):
                if account.kind is AccountKind.PLAYER:
                    sums[account.name] = sums.get(account.name, 0) + moved.units
    for name in sorted({*out, *back}):
        net = back.get(name, 0) - out.get(name, 0)
        yield model.Total(
            person=name,
            name=story.name(name),
            out=show_units(out.get(name, 0)),
            back=show_units(back.get(name, 0)),
            net=show_units(net),
            net_units=net,
        )


def meters_of(happenings: Iterable[Happening]) -> Iterator[model.MeterChange]:
    """Yield what the steps of the round did to meters."""
    for happening in happenings:
        move = happening.event.outcome.meter if isinstance(happening.event.outcome, Moves) else None
        if move is not None:
            before = move.before
            yield model.MeterChange(
                meter=move.meter,
                step=happening.event.seq,
                before=show_units(before.value) if before else "not opened",
                after=show_units(move.after.value),
                reserve_before=show_units(before.reserve) if before else "not opened",
                reserve_after=show_units(move.after.reserve),
            )
