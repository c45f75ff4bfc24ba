"""Who is coached about what: their own cards at a practice table, and hands that somebody types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from houseway.cards import Deck, parse_cards, parse_setting, show, show_setting
from houseway.games import Rules, example_submission
from houseway.houseways import decide
from houseway.odds.doubling import QUALIFIER
from houseway.ranking import race
from houseway.rounds.houseway import dealer_program, house_setting
from houseway.rounds.marks import RoundMark
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from houseway.rounds.steps.double_down import DoubleDown
from houseway.rounds.steps.hand import Look, SetHand
from houseway.service.coach_process import CoachProcess
from tests.floor.support import make_table, seat_two
from tests.service.driving import HERE, PAT, World
from tests.service.driving import Person as Playing
from tests.service.listening import Listening
from tests.service.practising import PracticeWorld, practice_world, seated, to_setting
from tests.service.support import Person, served

ANN = 2


class Seen:
    """A practice table that is served, and what its coach is asked."""

    def __init__(self, world: PracticeWorld, pat: Person, coach: Listening) -> None:
        self.world, self.pat, self.coach = world, pat, coach
        self.path = f"/api/v1/tables/{world.name}/coach"

    def ask(self, position: int = HERE, **more: Any) -> Any:
        return self.pat.send("POST", self.path, {"position": position, **more})

    def refused(self, *, says: str, position: int = HERE, status: int = 409, **more: Any) -> None:
        """Ask what must be refused, and reach no coach."""
        answer = self.ask(position, **more)
        assert answer.status_code == status and says in answer.text, answer.text
        assert not self.coach.questions


@pytest.fixture
def served_world(request: pytest.FixtureRequest) -> Iterator[Seen]:
    world = getattr(request, "param", to_setting)(seated(practice_world("pa-670a")))
    make_table(world.licensed, "t1", example_submission("pa-670a"))
    seat_two(world.licensed, "t1")
    with served(world.licensed, practice=world.practice) as (client, server):
        server.coach = coach = Listening()
        yield Seen(world, Person(client, PAT.id, Role.PLAYER), coach)


def not_looked(world: PracticeWorld) -> PracticeWorld:
    world.run(lambda: world.table().phase is Phase.SETTING, Playing(world, sat=True).act)
    return world


def already_set(world: PracticeWorld) -> PracticeWorld:
    cards = to_setting(world).table().round.hands[HERE].cards
    world.say(PAT, SetHand(HERE, house_setting(world.running().rules, cards)))
    return world


# --- at a table ---------------------------------------------------------------------------------------


def test_a_player_is_coached_about_the_cards_that_were_dealt_to_them(served_world: Seen) -> None:
    answer = served_world.ask()
    assert answer.status_code == 200, answer.text
    (asked,) = served_world.coach.questions
    dealt = served_world.world.table().round.hands[HERE].cards
    assert set(asked.cards) == set(dealt) and asked.seen == (), "others' cards lie face down"
    assert asked.submission == served_world.world.running().rules.submission
    assert answer.json()["worth"]["cards"] == [str(card) for card in asked.cards]


def test_the_coach_is_told_whether_the_hand_is_doubled_already(served_world: Seen) -> None:
    world = served_world.world
    served_world.ask()
    world.run(lambda: world.table().round.has(RoundMark.DOUBLE_OFFERED))
    world.say(PAT, DoubleDown(HERE))
    served_world.ask()
    assert [asked.doubled for asked in served_world.coach.questions] == [False, True]


def test_nobody_is_coached_about_somebody_elses_cards(served_world: Seen) -> None:
    assert served_world.world.table().round.hands[ANN].cards
    served_world.refused(position=ANN, says="only its player looks at a hand")
    served_world.refused(position=7, says="shown to nobody")
    served_world.refused(cards="As Ks Qs Js Ts 9s", says="cards", status=400)
    watching = Person(served_world.pat.client, "Eve", Role.PLAYER)
    answer = watching.send("POST", served_world.path, {"position": HERE})
    assert answer.status_code == 409 and not served_world.coach.questions


def test_nobody_is_coached_where_money_is_played_for(served_world: Seen) -> None:
    for person in (PAT.id, "Ann"):
        who = Person(served_world.pat.client, person, Role.PLAYER)
        answer = who.send("POST", "/api/v1/tables/t1/coach", {"position": ANN})
        assert answer.status_code == 409 and "practice tables only" in answer.json()["title"]
    assert not served_world.coach.questions


@pytest.mark.parametrize("served_world", [lambda world: world], indirect=True)
def test_nobody_is_coached_before_the_cards_are_dealt(served_world: Seen) -> None:
    served_world.refused(says="shown to nobody")


@pytest.mark.parametrize("served_world", [not_looked], indirect=True)
def test_nobody_is_coached_before_they_have_looked(served_world: Seen) -> None:
    served_world.refused(says="has not looked yet")
    served_world.world.say(PAT, Look(HERE))
    assert served_world.ask().status_code == 200


@pytest.mark.parametrize("served_world", [already_set], indirect=True)
def test_a_hand_that_is_set_is_valued_no_more(served_world: Seen) -> None:
    served_world.refused(says="before it is set")


def test_only_a_legal_setting_of_the_hand_is_judged(served_world: Seen) -> None:
    rules = served_world.world.running().rules
    cards = served_world.world.table().round.hands[HERE].cards
    other = next(card for card in Deck.standard().cards if card not in cards)
    high, low = house_setting(rules, cards)
    served_world.refused(setting=show_setting(((*high[1:], other), low)), says="")
    served_world.refused(setting=show_setting((high[:4], low)), says="not a setting of the hand", status=400)
    served_world.refused(setting="As Zz", says="Zz", status=400)
    assert served_world.ask(setting=show_setting((high, low))).status_code == 200


# --- any hand -----------------------------------------------------------------------------------------

HAND, LEFT = "As Ah Kd Qc 7h 2s", "Ks Qd Jk Jh 9s 8c 8d 4h 3c"


@pytest.fixture(scope="module")
def anybody() -> Iterator[Person]:
    """Return a guest of a floor whose coach counts."""
    with served(World().floor) as (client, _):
        yield Person(client, "guest", Role.GUEST)


def ask_about(who: Person, **body: str) -> Any:
    return who.send("POST", "/api/v1/hands/coach", {"game": "pa-670a", "cards": HAND, **body})


def test_every_setting_of_any_hand_is_worth_what_racing_the_cards_left_gives(anybody: Person) -> None:
    hand, left = parse_cards(HAND), parse_cards(LEFT)
    seen = [card for card in Deck.standard(joker=True).cards if card not in (*hand, *left)]
    answer = ask_about(anybody, seen=show(seen), setting="As Ah Qc 7h 2s / Kd")
    assert answer.status_code == 200, answer.text
    rules = Rules.of(example_submission("pa-670a"))
    dealers = [decide(dealer_program(rules), other).setting for other in combinations(left, 6)]
    qualify = [rules.ranking().qualifies(QUALIFIER, other) for other in combinations(left, 6)]
    told = answer.json()["worth"]
    assert told["hands"] == len(dealers) == 84 and len(told["settings"]) == 6
    worths = []
    for one in told["settings"]:
        mine = parse_setting(" / ".join("".join(part) for part in one["setting"]))
        raced = [race(rules.ranking(), mine, dealer).result for dealer in dealers]
        doubled = Counter(result for result, counts in zip(raced, qualify, strict=True) if counts)
        results, adds = Counter(raced), Fraction(doubled["win"] - doubled["lose"], 84)
        assert (one["win"], one["push"], one["lose"]) == (results["win"], results["push"], results["lose"])
        assert (one["double"], one["double_adds"]) == (adds > 0, pytest.approx(float(adds)))
        worths.append(Fraction(results["win"] - results["lose"], 84) + max(adds, Fraction(0)))
        assert Fraction(one["exact"]) == worths[-1] and one["expectation"] == pytest.approx(float(worths[-1]))
    assert worths == sorted(worths, reverse=True)
    assert [one["gives_up"] for one in told["settings"]] == pytest.approx(
        [float(worths[0] - one) for one in worths]
    )
    assert answer.json()["judged"] in told["settings"] and answer.json()["judged"]["setting"][1] == ["Kd"]
    house = decide(dealer_program(rules), hand)
    assert (told["house_way"]["rule"], told["house_way"]["say"]) == (house.rule, house.say)


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({"cards": "As Ah"}, 400, "2"),
        ({"cards": HAND, "seen": "As"}, 400, "As"),
        ({"cards": HAND, "seen": LEFT + " Jk"}, 400, "one joker"),
        ({"game": "no-such-game"}, 404, "no-such-game"),
        ({"setting": "As Ah Kd / Qc 7h 2s"}, 400, "not a setting"),
        ({"cards": "As Kd Qc 9h 7h 2s", "setting": "Kd Qc 9h 7h 2s / As"}, 409, "setting"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_counted(
    anybody: Person, body: dict[str, str], status: int, says: str
) -> None:
    answer = ask_about(anybody, **body)
    assert answer.status_code == status and says in answer.text, answer.text


def test_too_few_cards_left_for_the_dealer_are_refused_in_words(anybody: Person) -> None:
    seen = [card for card in Deck.standard(joker=True).cards if card not in parse_cards(HAND)][5:]
    answer = ask_about(anybody, seen=show(seen))
    assert answer.status_code == 400 and "too few cards are left" in answer.text


def test_who_comes_when_too_many_wait_is_told_to_ask_again() -> None:
    with served(World().floor) as (client, server):
        server.coach = CoachProcess(most=0)
        answer = ask_about(Person(client, "guest", Role.GUEST))
    assert answer.status_code == 503, answer.text
    assert "too many questions wait" in answer.json()["title"] and answer.headers["retry-after"] == "2"
