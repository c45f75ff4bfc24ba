"""``houseway rank``, ``bonus`` and ``compare``: what hands are worth and who wins."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import Exit

from houseway.cards import parse_cards, show_setting
from houseway.cli.output import AsJson, GameArgument, console, emit, table
from houseway.cli.printing import BAD_INPUT
from houseway.errors import InvalidInputError
from houseway.games import Rules, example_submission, game, read_submission, rules_for
from houseway.games.game import Game
from houseway.library.hands import bonus_hands, listed_wagers
from houseway.library.inputs import read_setting
from houseway.ranking import Ranking, describe, race, ranking, verify_setting

CardsArgument = Annotated[
    str, typer.Argument(metavar="CARDS", help="Such as `As Kd Jk`, or `-` for a hand on each line.")
]

StrictOption = Annotated[bool, typer.Option("--strict", help="With `-`: stop at the first bad line.")]


SubmissionOption = Annotated[
    Path | None, typer.Option(help="The rules submission (.toml) whose choices apply; our example if none.")
]


def rules_named(game_id: str, submission: Path | None) -> tuple[Game, Rules | None]:
    """Return a game and the rules of a submission for it, else of our example; a game for odds has none."""
    document = game(game_id)
    if submission is None:
        return document, rules_of(document)
    filed = read_submission(submission)
    if filed.game != document.id:
        raise InvalidInputError("the submission is for another game", value=filed.game)
    return document, rules_for(filed)


def ranking_of(game_id: str) -> tuple[Game, Ranking]:
    """Return a game and its ranking, as its example submission has it."""
    found = game(game_id)
    rules = rules_of(found)
    return found, rules.ranking() if rules else ranking(found.ranking)


def rules_of(found: Game) -> Rules | None:
    """Return the rules of a licensed game's example submission."""
    return Rules.of(example_submission(found.id)) if found.licensed else None


def rank_command(
    game_id: GameArgument,
    part: Annotated[str, typer.Argument(metavar="PART", help="Such as high, medium or low.")],
    cards: Annotated[str, typer.Argument(metavar="CARDS", help="The cards of the part.")],
    as_json: AsJson = False,
) -> None:
    """Rank the cards of one part."""
    _, found = ranking_of(game_id)
    judge = found.judge(part)
    ranked = found.rank(part, parse_cards(cards, count=judge.part.cards))
    if as_json:
        emit(
            {
                "category": ranked.category,
                "description": describe(ranked),
                "value": ranked.value,
                "strength": ranked.strength,
                "clauses": list(ranked.clauses),
            }
        )
        return
    law = f" [{', '.join(ranked.clauses)}]" if ranked.clauses else ""
    console().print(f"{describe(ranked)}{law}", markup=False)


def bonus_command(
    game_id: GameArgument, cards: CardsArgument, strict: StrictOption = False, as_json: AsJson = False
) -> None:
    """Say which hand of each side wager's list the dealt cards make."""
    found, order = ranking_of(game_id)
    if cards == "-":
        from houseway.cli.bulk import BadLines, bonus_lines, read_lines  # noqa: PLC0415 - arrays only here

        bad = BadLines(strict=strict, as_json=as_json)
        wagers = listed_wagers(found, order, rules_of(found))
        bonus_lines(order, found.hand_cards, wagers, read_lines(), bad)
        raise Exit(BAD_INPUT if bad.met else 0)
    dealt = parse_cards(cards, count=found.hand_cards)
    answers = bonus_hands(found, order, rules_of(found), dealt)
    if as_json:
        emit(answers)
    else:
        table(f"{found.name}: {cards}", ["wager", "hand"], list(answers.items()))


def compare_command(
    game_id: GameArgument,
    player: Annotated[str, typer.Option(help="A setting such as `AsKsQsJs / ThTd / 9c`.")],
    dealer: Annotated[str, typer.Option(help="The dealer's setting.")],
    as_json: AsJson = False,
) -> None:
    """Race a player's setting against the dealer's."""
    _, order = ranking_of(game_id)
    mine, theirs = read_setting(order, player, players=True), read_setting(order, dealer)
    parse_cards(" ".join(str(c) for part in (*mine, *theirs) for c in part))
    found = race(order, mine, theirs)
    if as_json:
        emit(
            {
                "result": found.result,
                "parts": dict(zip(order.part_names, map(str, found.parts), strict=bool(found.parts))),
                "fouls": [p.as_dict() for p in found.fouls],
                "dealer_fouls": [p.as_dict() for p in verify_setting(order, theirs)],
                "clauses": list(found.clauses),
            }
        )
        return
    words = {"W": "player", "L": "dealer", "T": "copy, dealer"}
    rows = [
        (name, describe(order.rank(name, a)), describe(order.rank(name, b)), words[outcome])
        for name, a, b, outcome in zip(order.part_names, mine, theirs, found.parts, strict=bool(found.parts))
    ]
    if rows:
        title = f"{show_setting(mine)} against {show_setting(theirs)}"
        table(title, ["part", "player", "dealer", "higher"], rows)
    for foul in found.fouls:
        console().print(f"foul: {foul}", markup=False)
    console().print(f"{found.result} [{', '.join(found.clauses)}]", markup=False)
