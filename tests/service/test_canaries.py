"""Canary cards: over whole rounds of every game nobody is sent a card that they may not see."""

from __future__ import annotations

import json
import logging
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from houseway.games import example_submission
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps import STEPS
from houseway.service.demo import GAMES
from houseway.service.live_views import Subscription
from houseway.store.memory import MemoryStore
from tests.floor.support import make_table, new_floor, next_move
from tests.rounds.secrecy.cards import CARD, cards_in, may_know
from tests.service.doors import API, Guarded, Visitor, guarded, user_of
from tests.service.support import step_of

TABLE = "t1"
PLAYERS = {2: "Ann", 5: "Dan"}
STRANGER = "Eve"
WATCHING = 2
"""So many people watch live, others in each round."""
VIEWERS = (
    *((role, user_of(role)) for role in Role if role is not Role.GUEST),
    *((Role.PLAYER, name) for name in (*PLAYERS.values(), STRANGER)),
    (Role.GUEST, ""),
)


class Canary:
    """A table at which two people play, and everybody who looks at it."""

    def __init__(self, floor: Guarded, seed: str) -> None:
        self.floor, self.chance, self.met = floor, random.Random(seed), Counter[str]()
        self.people = {key: floor.somebody(*key) for key in VIEWERS}
        self.actors = {
            key: Actor(self._id(person), key[0], f"The {key[1]}") for key, person in self.people.items()
        }
        self.watching: list[Subscription] = []
        self.named = 0

    def _id(self, person: Visitor) -> str:
        name: str = person.send("GET", f"{API}/session").json()["id"]
        return name

    # --- playing --------------------------------------------------------------------------------------

    def sit(self) -> None:
        """Let the two sit down."""
        for at, name in PLAYERS.items():
            self._command((Role.PLAYER, name), {"step": "sit", "position": at})

    def play(self, rounds: int) -> None:
        """Play so many rounds under everybody's eyes."""
        table = self.floor.floor.table(TABLE)
        last = table.table.rounds + rounds
        self._watch()
        while (now := self.floor.floor.table(TABLE).table.rounds) < last:
            move = next_move(self.floor.floor, TABLE)
            key = (move.by.role, move.by.id if move.by.id in PLAYERS.values() else user_of(move.by.role))
            self._command(key, step_of(move))
            self._look()
            if self.floor.floor.table(TABLE).table.rounds != now:
                self._watch()

    def _command(self, key: tuple[Role, str], action: dict[str, Any]) -> None:
        answer = self._sent(key, "commands", action)
        assert answer.status_code == 200, (action, answer.text)
        self._check(key, answer, given=action)
        self.met["commands"] += 1

    def _sent(self, key: tuple[Role, str], what: str, action: dict[str, Any]) -> Any:
        self.named += 1
        body = {"id": f"c{self.named}", "action": action} if what in ("commands", "chips") else action
        return self.people[key].send("POST", f"{API}/tables/{TABLE}/{what}", body)

    # --- looking --------------------------------------------------------------------------------------

    def _watch(self) -> None:
        """Let others watch live from now on."""
        hub = self.floor.server.hub
        for watcher in self.watching:
            hub.leave(watcher)
        chosen = self.chance.sample(VIEWERS, WATCHING)
        self.watching = [hub.watch(self.actors[key], TABLE) for key in chosen]

    def _look(self) -> None:
        """Read what those who watch were sent, and ask for something as somebody."""
        for watcher in self.watching:
            self._only_known(watcher.viewer, watcher.views.message_for(watcher.viewer).text.decode(), "live")
        key = self.chance.choice(VIEWERS)
        self.chance.choice((self._view, self._advice, self._foresee, self._refused, self._log, self._other))(
            key
        )

    def _view(self, key: tuple[Role, str]) -> None:
        self._check(key, self.people[key].send("GET", f"{API}/tables/{TABLE}"))

    def _advice(self, key: tuple[Role, str]) -> None:
        what, at = self.chance.choice(("preview", "suggestion")), self.chance.randrange(1, 8)
        question = {"position": at, **({"setting": ""} if what == "preview" else {})}
        self._check(key, self._sent(key, what, question))

    def _foresee(self, key: tuple[Role, str]) -> None:
        """Ask what would come of a step."""
        action = {
            "step": self.chance.choice(sorted(name for name, step in STEPS.items() if step.foretold)),
            "position": self.chance.randrange(1, 8),
        }
        self._check(key, self._sent(key, "consequences", {"action": action}))

    def _refused(self, key: tuple[Role, str]) -> None:
        """Ask for something that is not theirs to do, or not now."""
        at = self.chance.randrange(1, 8)
        action = self.chance.choice(
            (
                {"step": "look", "position": at},
                {"step": "set", "position": at, "setting": None},
                {"step": "surrender", "position": at},
                {"step": "sit", "position": min(PLAYERS)},
                {"step": "fly"},
            )
        )
        if key[1] not in PLAYERS.values():  # they might do it, and lawfully
            self._check(key, self._sent(key, "commands", action), given=action)

    def _log(self, key: tuple[Role, str]) -> None:
        """Read what was done at the table; the round before it is over, and told of too."""
        answer = self.people[key].send("GET", f"{API}/tables/{TABLE}/log")
        now = self.floor.floor.table(TABLE).table.round.number
        rows = [row for row in answer.json().get("rows", ()) if row["round"] == now]
        self._only_known(self.actors[key], json.dumps(rows), "the log")

    def _other(self, key: tuple[Role, str]) -> None:
        """Ask for what tells of other things, or of rounds that are over only."""
        path = self.chance.choice(("tables", "meters", "me", "waiting", "proposals", "alerts", "accounting"))
        self._check(key, self.people[key].send("GET", f"{API}/{path}"))

    # --- judging --------------------------------------------------------------------------------------

    def _check(self, key: tuple[Role, str], answer: Any, given: Any = None) -> None:
        text = "\n".join([answer.text, *(f"{k}: {v}" for k, v in answer.headers.items())])
        assert answer.status_code < 500, text
        self._only_known(self.actors[key], text, f"an answer of {answer.status_code}", set(cards_in(given)))

    def _only_known(self, viewer: Actor, text: str, where: str, given: set[str] | None = None) -> None:
        running = self.floor.floor.table(TABLE)
        cards = set(CARD.findall(text))
        more = cards - may_know(running.rules, running.table, viewer) - (given or set())
        assert not more, f"{viewer} is sent {sorted(more)} in {where}"
        self.met[f"cards in {where}"] += len(cards)
        self.met[where] += 1


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(json.dumps([record.getMessage(), str(record.args), str(record.exc_info)]))


@contextmanager
def logged() -> Iterator[list[str]]:
    """Keep every line that is logged meanwhile."""
    lines, root = _Lines(), logging.getLogger("houseway")
    before = root.level
    root.addHandler(lines)
    root.setLevel(logging.DEBUG)
    try:
        yield lines.lines
    finally:
        root.removeHandler(lines)
        root.setLevel(before)


def canary_rounds(game: str, rounds: int, seed: str = "canary") -> Counter[str]:
    """Play rounds of a game under everybody's eyes; return what was met."""
    floor = new_floor(MemoryStore(), f"{seed} {game}")
    make_table(floor, TABLE, example_submission(game))
    with guarded(floor) as served, logged() as lines:
        canary = Canary(served, f"{seed} {game}")
        canary.sit()
        canary.play(rounds)
    assert lines and not CARD.search("\n".join(lines)), "a card in the log"
    canary.met["log lines"] = len(lines)
    return canary.met


FEW, MANY = 20, 200


@pytest.mark.parametrize("game", GAMES)
def test_nobody_is_sent_a_card_that_is_not_theirs_to_see(game: str) -> None:
    met = canary_rounds(game, FEW)
    assert met["cards in live"] > 100 and met["cards in an answer of 200"] > 100, met
    assert (
        met["the log"] > 20 and met["live"] > 500 and met["an answer of 409"] > 20 and met["log lines"] > 500
    ), met


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", GAMES)
def test_nobody_is_sent_a_card_that_is_not_theirs_to_see_over_a_thousand_rounds(game: str) -> None:
    met = canary_rounds(game, MANY, "a thousand")
    assert met["cards in live"] > 1_000 and met["an answer of 409"] > 200, met


def test_the_canary_sings_when_hands_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.rounds.views.is_hidden", lambda *_: False)
    with pytest.raises(AssertionError, match="is sent"):
        canary_rounds("pa-659a", 1)
