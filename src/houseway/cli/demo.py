"""``houseway demo``: deals a table of each game and shows what houseway knows about it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from houseway.cards import Cards, show
from houseway.cli.output import AsJson, console, emit
from houseway.games import Game, Rules, example_submission, games, rules_for, verify_wagers
from houseway.money import cents
from houseway.rng import Entropy, SealedDeck, SeededEntropy, SystemEntropy, below


def demo_command(
    seed: Annotated[str | None, typer.Option(help="Deal the same cards again.")] = None,
    as_json: AsJson = False,
) -> None:
    """Deal one table of each game, check the seal on the deck, refuse a wager and say by which clause."""
    entropy: Entropy = SystemEntropy() if seed is None else SeededEntropy(seed)
    shown = [
        _dealt(game, rules_for(example_submission(game.id)), entropy) for game in games() if game.licensed
    ]
    if as_json:
        emit(shown)
        return
    out = console()
    for table in shown:
        out.print(f"[bold]{table['name']}[/] ({table['game']}), {table['law']}")
        out.print(f"  sealed deck {table['commitment'][:16]}…, starting position {table['start']}")
        for place, cards in table["hands"].items():
            out.print(f"  {place:<10} {cards}")
        out.print(f"  {'stub':<10} {table['stub']}   (the seal opens: {table['seal_opens']})")
        out.print(f"  refused: {table['refused']}\n", markup=False)


def _dealt(game: Game, rules: Rules, entropy: Entropy) -> dict[str, Any]:
    deck = SealedDeck.shuffle(game.cards().cards, entropy)
    published = deck.commitment
    start = below(7, entropy) + 1
    # One stack to each position in turn, clockwise from the starting one, as an automated shoe deals.
    order = [(start - 1 - turn) % 7 + 1 for turn in range(7)]
    size = game.hand_cards
    stacks = {at: deck.order[turn * size : (turn + 1) * size] for turn, at in enumerate(order)}
    wager = next(w.id for w in game.wager if w.family == "bonus")
    refused = verify_wagers(rules, {wager: cents("$5")})
    return {
        "game": game.id,
        "name": game.name,
        "law": game.law.law if game.law else None,
        "commitment": published,
        "start": start,
        "hands": {_place(at): _sorted(cards) for at, cards in sorted(stacks.items())},
        "stub": show(deck.order[7 * size :]),
        "seal_opens": deck.opens(published),
        "refused": "; ".join(map(str, refused)),
    }


def _place(position: int) -> str:
    return "dealer" if position == 1 else f"position {position}"


def _sorted(cards: Cards) -> str:
    return show(sorted(cards, key=lambda card: (card.rank, card), reverse=True))
