"""The coach: what every setting of one's own hand at a practice table is worth, or of any hand."""

from __future__ import annotations

from msgspec import Struct
from starlette.responses import Response

from houseway.cards import Cards, distinct, parse_cards, parse_setting
from houseway.errors import IllegalError, InvalidInputError
from houseway.floor.running_table import RunningTable
from houseway.games import Rules, example_submission, game
from houseway.law.problems import refuse
from houseway.ranking import Ranking, Setting, ranking, verify_setting, verify_split
from houseway.rounds.coaching import HandWorth, SettingWorth, worth_of
from houseway.rounds.sight import see
from houseway.rounds.views import HandView, Scene
from houseway.service.api.call import Call, json
from houseway.service.api.tables import Looked, player_of
from houseway.settlement.model import DOUBLE_DOWN


class Coached(Struct, frozen=True):
    """What every legal setting is worth, and the one that was asked about."""

    worth: HandWorth
    judged: SettingWorth | None = None


async def coach(call: Call) -> Response:
    """What every legal setting of one's own hand at a practice table is worth."""
    asked, running = await call.body(Looked), await call.table()
    table = call.named("table")
    if not call.floor.house.tables[table].practice:
        raise IllegalError("nobody is coached at a table that is played for money", value=table)
    mine, seen = _own_hand(call, running, asked.position)
    judged = _legal(running.rules.ranking(), mine.cards, asked.setting)
    submission, doubled = running.rules.submission, bool(mine.wagers.get(DOUBLE_DOWN))
    worth = await call.server.coach.ask(submission.game, mine.cards, seen, submission, doubled=doubled)
    return _answer(worth, judged)


def _own_hand(call: Call, running: RunningTable, position: int) -> tuple[HandView, Cards]:
    """Return one's own hand that waits to be set, and other players' as far as one sees them; or refuse."""
    player = player_of(call)
    see(running.rules, running.table, player, position)
    moment = call.floor.moment(running.table.id)
    hands = Scene(running.rules, running.table, moment).view(player).hands
    mine = next((hand for hand in hands if hand.own and hand.position == position), None)
    if mine is None:
        raise IllegalError("only one's own hand is valued", value=position)
    if mine.setting is not None:
        raise IllegalError("a hand is valued before it is set", value=position)
    others = [card for hand in hands if hand is not mine for card in _lying_open(hand)]
    return mine, tuple(sorted(others))


def _lying_open(hand: HandView) -> Cards:
    """Return the cards of a hand that everybody sees."""
    return hand.cards or tuple(card for part in hand.shown.values() for card in part)


class CoachedHand(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards in a game, others that were seen, and a setting if one is to be judged."""

    game: str
    cards: str
    seen: str = ""
    setting: str = ""


async def hand_coach(call: Call) -> Response:
    """What every legal setting of any hand is worth."""
    asked = await call.body(CoachedHand)
    found = game(asked.game)
    hand = parse_cards(asked.cards, count=found.hand_cards)
    seen = parse_cards(asked.seen) if asked.seen.strip() else ()
    distinct((*hand, *seen))
    submission = example_submission(found.id) if found.licensed else None
    order = Rules.of(submission).ranking() if submission else ranking(found.ranking)
    judged = _legal(order, hand, asked.setting)
    return _answer(await call.server.coach.ask(found.id, hand, seen, submission), judged)


def _legal(order: Ranking, cards: Cards, text: str) -> Setting | None:
    """Return a setting that is to be judged, if one is; what is no legal setting of the cards is refused."""
    if not text.strip():
        return None
    setting = parse_setting(text)
    if tuple(map(len, setting)) != order.split:
        raise InvalidInputError("not a setting of the hand", value=text)
    refuse("setting", verify_split(order, cards, setting) or verify_setting(order, setting))
    return setting


def _answer(worth: HandWorth, judged: Setting | None) -> Response:
    found = worth_of(worth.settings, judged) if judged is not None else None
    return json(Coached(worth, found))
