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
from houseway.games import Rules, game, read_submission, rules_for
from houseway.games.game import Game
from houseway.games.ways import example_rules, ranking_in
from houseway.library.hands import bonus_hands, listed_wagers
from houseway.library.inputs import read_setting
from houseway.library.values import cited
from houseway.ranking import Ranking, describe, race, verify_setting

CardsArgument = Annotated[
    str, typer.Argument(metavar="CARDS", help="Such as `As Kd Jk`, or `-` for a hand on each line.")
]

StrictOption = Annotated[bool, typer.Option("--strict", help="With `-`: stop at the first bad line.")]


SubmissionOption = Annotated[
    Path | None, typer.Option(help="The rules submission (.toml) whose choices apply; our example if none.")
]


def find_rules(game_id: str, submission: Path | None) -> tuple[Game, Rules | None]:
    """Return a game and the rules of a submission for it, else of our example; a game for odds has none."""
    document = game(game_id)
    if submission is None:
        return document, example_rules(document)
    filed = read_submission(submission)
    if filed.game != document.id:
        raise InvalidInputError("the submission is for another game", value=filed.game)
    return document, rules_for(filed)


def ranking_of(game_id: str) -> tuple[Game, Ranking]:
    """Return a game and its ranking, as its example submission has it."""
    document = game(game_id)
    return document, ranking_in(document, example_rules(document))


def rank_command(
    game_id: GameArgument,
    part: Annotated[str, typer.Argument(metavar="PART", help="Such as high, medium or low.")],
    cards: Annotated[str, typer.Argument(metavar="CARDS", help="The cards of the part.")],
    as_json: AsJson = False,
) -> None:
    """Rank the cards of one part."""
    _, order = ranking_of(game_id)
    judge = order.judge(part)
    ranked = order.rank(part, parse_cards(cards, count=judge.part.cards))
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
    console().print(f"{describe(ranked)}{cited(ranked.clauses)}", markup=False)


def bonus_command(
    game_id: GameArgument, cards: CardsArgument, strict: StrictOption = False, as_json: AsJson = False
) -> None:
    """Say which hand of each side wager's list the dealt cards make."""
    document, order = ranking_of(game_id)
    if cards == "-":
        from houseway.cli.bulk import BadLines, bonus_lines, read_lines  # noqa: PLC0415 - arrays only here

        bad = BadLines(strict=strict, as_json=as_json)
        wagers = listed_wagers(document, order, example_rules(document))
        bonus_lines(order, document.hand_cards, wagers, read_lines(), bad)
        raise Exit(BAD_INPUT if bad.count else 0)
    dealt = parse_cards(cards, count=document.hand_cards)
    answers = bonus_hands(document, order, example_rules(document), dealt)
    if as_json:
        emit(answers)
    else:
        table(f"{document.name}: {cards}", ["wager", "hand"], list(answers.items()))


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
    verdict = race(order, mine, theirs)
    if as_json:
        emit(
            {
                "result": verdict.result,
                "parts": dict(zip(order.part_names, map(str, verdict.parts), strict=bool(verdict.parts))),
                "fouls": [p.as_dict() for p in verdict.fouls],
                "dealer_fouls": [p.as_dict() for p in verify_setting(order, theirs)],
                "clauses": list(verdict.clauses),
            }
        )
        return
    words = {"W": "player", "L": "dealer", "T": "copy, dealer"}
    rows = [
        (name, describe(order.rank(name, a)), describe(order.rank(name, b)), words[side])
        for name, a, b, side in zip(order.part_names, mine, theirs, verdict.parts, strict=bool(verdict.parts))
    ]
    if rows:
        title = f"{show_setting(mine)} against {show_setting(theirs)}"
        table(title, ["part", "player", "dealer", "higher"], rows)
    for foul in verdict.fouls:
        console().print(f"foul: {foul}", markup=False)
    console().print(f"{verdict.result} [{', '.join(verdict.clauses)}]", markup=False)
