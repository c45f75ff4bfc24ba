"""Routes of the coach: the values of every setting of one's own practice hand, or of any hand."""

from __future__ import annotations

from msgspec import Struct
from starlette.responses import Response

from houseway.cards import Cards, distinct, parse_cards, parse_setting
from houseway.errors import IllegalError, InvalidInputError
from houseway.floor.running_table import RunningTable
from houseway.games import game
from houseway.games.ways import example_rules, ranking_in
from houseway.law.problems import refuse
from houseway.ranking import Ranking, Setting, verify_setting, verify_split
from houseway.rounds.coaching import HandWorth, SettingWorth, worth_of
from houseway.rounds.sight import see
from houseway.rounds.views import HandView, Scene
from houseway.service.api.call import Call, json
from houseway.service.api.tables import Looked, player_of
from houseway.settlement.model import DOUBLE_DOWN


class CoachAnswer(Struct, frozen=True):
    """The value of every legal setting, and of the one that was asked about."""

    worth: HandWorth
    judged: SettingWorth | None = None


async def coach(call: Call) -> Response:
    """Return the value of every legal setting of the caller's own hand at a practice table."""
    body, running = await call.body(Looked), await call.table()
    table = call.path_part("table")
    if not call.floor.house.tables[table].practice:
        raise IllegalError("the coach answers at practice tables only", value=table)
    mine, seen = _own_hand(call, running, body.position)
    judged = _read_legal(running.rules.ranking(), mine.cards, body.setting)
    submission, doubled = running.rules.submission, bool(mine.wagers.get(DOUBLE_DOWN))
    worth = await call.server.coach.ask(submission.game, mine.cards, seen, submission, doubled=doubled)
    return _coach_response(worth, judged)


def _own_hand(call: Call, running: RunningTable, position: int) -> tuple[HandView, Cards]:
    """Return the caller's own unset hand, and the cards of others that they see; refuse any other hand."""
    player = player_of(call)
    see(running.rules, running.table, player, position)
    moment = call.floor.moment(running.table.id)
    hands = Scene(running.rules, running.table, moment).view(player).hands
    mine = next((hand for hand in hands if hand.own and hand.position == position), None)
    if mine is None:
        raise IllegalError("the coach values only your own hand", value=position)
    if mine.setting is not None:
        raise IllegalError("the coach values a hand only before it is set", value=position)
    others = [card for hand in hands if hand is not mine for card in _open_cards(hand)]
    return mine, tuple(sorted(others))


def _open_cards(hand: HandView) -> Cards:
    """Return the cards of a hand that lie face up."""
    return hand.cards or tuple(card for part in hand.shown.values() for card in part)


class CoachedHand(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards in a game, other cards that were seen, and a setting to be judged, if any."""

    game: str
    cards: str
    seen: str = ""
    setting: str = ""


async def hand_coach(call: Call) -> Response:
    """Return the value of every legal setting of any hand."""
    body = await call.body(CoachedHand)
    document = game(body.game)
    hand = parse_cards(body.cards, count=document.hand_cards)
    seen = parse_cards(body.seen) if body.seen.strip() else ()
    distinct((*hand, *seen))
    rules = example_rules(document)
    judged = _read_legal(ranking_in(document, rules), hand, body.setting)
    submission = rules.submission if rules else None
    return _coach_response(await call.server.coach.ask(document.id, hand, seen, submission), judged)


def _read_legal(order: Ranking, cards: Cards, text: str) -> Setting | None:
    """Return the setting to be judged, if any; refuse one that is not legal."""
    if not text.strip():
        return None
    setting = parse_setting(text)
    if tuple(map(len, setting)) != order.split:
        raise InvalidInputError("not a setting of the hand", value=text)
    refuse("setting", verify_split(order, cards, setting) or verify_setting(order, setting))
    return setting


def _coach_response(worth: HandWorth, judged: Setting | None) -> Response:
    judgement = worth_of(worth.settings, judged) if judged is not None else None
    return json(CoachAnswer(worth, judgement))
