"""Which hand comes next: what is costly and what was failed comes oftener, and a failed hand itself again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import pytest

from houseway.cards import Cards, Deck, parse_cards, parse_setting, show
from houseway.errors import InvalidInputError, UnknownNameError
from houseway.odds.coach import HandAdvice, SettingOdds
from houseway.rng import SeededEntropy
from houseway.training import LessonAnswer, LessonRole, PlayerLesson
from houseway.training.player_lesson import VALUED, cost_of_mistakes, list_temptations
from houseway.training.spots import COMPLETE, SPOTS, is_spot, spot_of, verify_spot
from houseway.training.weak_spots import LEAST, WeakSpots, draw, failed_question
from tests.training.support import ExactCoach, answer, program

SIX = program("pa-670a")
DECK = Deck.standard()


def asked(
    coach: ExactCoach, answers: Sequence[LessonAnswer] = (), many: int = 80, seed: str = "a"
) -> Counter[str]:
    """Return how often each spot is asked of somebody with this history."""
    lesson, entropy = PlayerLesson(SIX, DECK, coach), SeededEntropy(seed)
    return Counter(lesson.next(answers, entropy).spot for _ in range(many))


def test_spots_on_which_mistakes_cost_more_come_oftener() -> None:
    cheap, dear = ExactCoach(SIX, {}, 100), ExactCoach(SIX, {"two_pair": 2_000}, 100)
    before, after = (asked(one)["two_pair"] for one in (cheap, dear))
    assert after > 1.7 * before > 0


def test_spots_that_were_failed_come_oftener_and_those_that_are_known_more_seldom() -> None:
    coach = ExactCoach(SIX, {}, 100)
    others = [answer(f"{n}", spot="pair", lost="1/200") for n in range(30)]
    weak = [answer(f"t{n}", spot="two_pair", lost="1/10") for n in range(10)]
    known = [answer(f"t{n}", spot="two_pair") for n in range(10)]
    fresh, failed, learnt = (asked(coach, [*others, *some])["two_pair"] for some in ([], weak, known))
    assert failed > 1.5 * fresh and fresh > learnt > 0


def test_a_fresh_person_meets_many_spots_none_of_them_most_of_the_time() -> None:
    met = asked(ExactCoach(SIX, {}, 100))
    assert len(met) >= 5 and met.most_common(1)[0][1] < 0.6 * met.total()


def test_the_same_chance_and_history_bring_the_same_hands() -> None:
    first, again, other = (
        [PlayerLesson(SIX, DECK, ExactCoach(SIX, {}, 9)).next([], SeededEntropy(seed)).cards]
        for seed in "aab"
    )
    assert first == again != other


def test_few_hands_are_valued_for_each_question() -> None:
    valued: list[Cards] = []
    hand = PlayerLesson(SIX, DECK, ExactCoach(SIX, {}, 100, valued.append)).next([], SeededEntropy(1))
    assert len(valued) == VALUED and hand.cards in valued


def test_one_spot_can_be_practised_alone() -> None:
    lesson = PlayerLesson(SIX, DECK, ExactCoach(SIX, {}, 100), "trips")
    entropy = SeededEntropy(1)
    for _ in range(5):
        ranks = Counter(card.rank for card in lesson.next([], entropy).cards)
        assert sorted(ranks.values()) == [1, 1, 1, 3]


# --- what mistakes cost ---------------------------------------------------------------------------


def test_the_cost_is_the_mean_over_what_tempts_people() -> None:
    order = SIX.ranking
    worth = {"KsKh9d9s4d / 5h": 50, "KsKh9d9s5h / 4d": 45, "KsKh9d5h4d / 9s": 40, "Kh9d9s5h4d / Ks": 30}
    settings = tuple(SettingOdds(parse_setting(one), wins, 0, 100 - wins) for one, wins in worth.items())
    advice = HandAdvice(settings, settings[2], "")
    tried = list_temptations(order, advice)
    # two pair with the better odd card low, the king low, then the house way and the best but one;
    # a win more in a hundred is worth 2 %
    assert tried == [settings[0], settings[3], settings[2], settings[1]]
    assert cost_of_mistakes(order, advice) == Fraction(0 + 40 + 20 + 10, 4) / 100


def test_where_everything_is_worth_the_same_no_mistake_costs() -> None:
    setting = parse_setting("KsKh9d9s4d / 5h")
    only = SettingOdds(setting, 1, 0, 1)
    assert cost_of_mistakes(SIX.ranking, HandAdvice((only,), only, "")) == 0


# --- spots ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "cards", "spot"),
    [
        ("pa-670a", "Ks Qh 9d 7c 5h 4s", "no_pair"),
        ("pa-670a", "9s 8h 7d 6c 5h 2s", "no_pair-complete"),
        ("pa-670a", "9s 9h 7d 6c 5h 2s", "pair"),
        ("pa-659a", "9s 9h 7d 6c 8h 2s Kc", "pair-complete"),
        ("ca-fpgp", "9s 9h 7d 6c 8h 2s Kc", "pair"),
        ("ca-fpgp", "As Ks Qs Js 9s 9h Kd", "two_pair-complete"),
        ("pa-659a", "Jk As 3d 3c 8h 8s Kc", "three_pair"),
        ("pa-670a", "Jk As Ah Ac Ad 2s", "five_aces"),
    ],
)
def test_a_spot_is_the_shape_of_the_hand_and_whether_something_complete_is_there(
    game: str, cards: str, spot: str
) -> None:
    hand = parse_cards(cards)
    assert spot_of(program(game), hand) == spot
    assert [one for one in SPOTS if is_spot(program(game), hand, one)] == [spot]


def test_an_unknown_spot_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean two_pair"):
        verify_spot("two_pairs")
    assert verify_spot("trips" + COMPLETE) == "trips-complete"


# --- weak spots and what comes back ---------------------------------------------------------------


def test_few_answers_say_little_of_a_spot() -> None:
    failed, known = answer("b", spot="trips", lost="1/20"), answer("a", spot="pair")
    # one of each: with four expected answers of 1 % the mean is (5 % + 4 %) / 6 = 1.5 %, and a spot that
    # counts four average answers besides its own is at (5 % + 6 %) / 5 = 2.2 %, or at 6 % / 5 = 1.2 %
    assert WeakSpots.of([failed, known], LessonRole.PLAYER).ratios == {
        "pair": Fraction(4, 5),
        "trips": Fraction(22, 15),
    }
    # of fifteen known to one failed the mean is 9 % / 20 = 0.45 %: known by 1.8 % / 19, failed by 6.8 % / 5
    many = WeakSpots.of([failed, *[known] * 15], LessonRole.PLAYER)
    assert (many["trips"], many["pair"]) == (Fraction(136, 45), LEAST)
    assert many["quads"] == 1


def test_only_the_latest_answers_of_a_spot_count() -> None:
    old = [answer("x", spot="trips", lost="1/2")] * 40
    new = [answer("y", spot="trips")] * 20 + [answer("z", spot="pair", lost="1/100")] * 20
    assert WeakSpots.of([*old, *new], LessonRole.PLAYER).ratios == WeakSpots.of(new, LessonRole.PLAYER).ratios


def test_answers_in_another_role_and_answers_shown_count_for_nothing() -> None:
    ignored = [answer("x", role=LessonRole.DEALER, lost="1"), answer("x", shown=True, right=False)]
    assert WeakSpots.of(ignored, LessonRole.PLAYER).ratios == {}


FAILED = answer("Ks Kh 9d 9s 5h 4d", right=False, lost="1/10", spot="two_pair")


def comes_back(after: int, *more: LessonAnswer, only: str | None = None) -> int:
    """Return in how many of 60 lessons a failed hand comes back after so many other questions."""
    history = [FAILED, *[answer(f"other {n}") for n in range(after)], *more]
    found = [failed_question(history, LessonRole.PLAYER, SeededEntropy(seed), only) for seed in range(60)]
    assert all(one in (None, FAILED) for one in found)
    return sum(one is not None for one in found)


def test_a_failed_hand_comes_back_after_five_to_ten_others() -> None:
    counts = [comes_back(after) for after in range(13)]
    assert counts[:5] == [0] * 5 and counts[10:] == [60] * 3
    assert 0 < counts[5] < counts[7] < counts[9] < 60


def test_once_solved_it_rests_and_failed_again_it_waits_again() -> None:
    assert comes_back(12, answer(FAILED.asked, spot="two_pair")) == 0
    assert comes_back(12, FAILED) == 0


def test_what_was_only_shown_comes_back_as_well() -> None:
    history = [answer("Ks", right=False, shown=True), *[answer(f"{n}") for n in range(10)]]
    found = failed_question(history, LessonRole.PLAYER, SeededEntropy(1))
    assert found is not None and found.asked == "Ks"


def test_in_practice_of_one_spot_no_other_comes_back() -> None:
    assert comes_back(12, only="two_pair") == 60 and comes_back(12, only="trips") == 0
    history = [FAILED, *[answer(f"other {n}") for n in range(12)]]
    assert failed_question(history, LessonRole.DEALER, SeededEntropy(1)) is None


def test_the_lesson_asks_the_hand_itself_again() -> None:
    history = [FAILED, *[answer(f"other {n}") for n in range(10)]]
    hand = PlayerLesson(SIX, DECK, ExactCoach(SIX, {}, 100)).next(history, SeededEntropy(1))
    assert (show(hand.cards), hand.again, hand.spot) == (FAILED.asked, True, "two_pair")


def test_a_draw_follows_its_weights() -> None:
    entropy = SeededEntropy("weights")
    found = Counter(draw("abc", [Fraction(1), Fraction(0), Fraction(3)], entropy) for _ in range(400))
    assert found["b"] == 0 and 2 < found["c"] / found["a"] < 4.5
    with pytest.raises(InvalidInputError, match="weight for each"):
        draw("ab", [Fraction(1)], entropy)
