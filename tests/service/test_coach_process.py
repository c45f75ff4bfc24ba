"""The coach's process: begun when somebody asks, asked in turn, begun again when it has ended."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from houseway.cards import parse_cards
from houseway.errors import InvalidInputError
from houseway.service.coach_process import CoachBusyError, CoachGoneError, CoachProcess

COMMAND = (sys.executable, "-m", "tests.service.fake_coach")
ANSWERED, REFUSED, ENDS, SILENT = (parse_cards(card) for card in ("As", "Ah", "Ad", "Ac"))


def tried(work: Callable[[CoachProcess], Awaitable[None]], limit: float = 60) -> None:
    """Do something with a coach, which is ended in any case."""

    async def run() -> None:
        coach = CoachProcess(COMMAND, limit)
        try:
            await work(coach)
        finally:
            await coach.close()

    asyncio.run(run())


def lives(process: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(process, 0)
        return True
    return False


def test_questions_are_answered_in_turn_by_one_process_that_ends_with_its_server() -> None:
    async def work(coach: CoachProcess) -> None:
        found = await asyncio.gather(*(coach.ask("g", ANSWERED) for _ in range(3)))
        assert [one.best.win for one in found] == [1, 2, 3], "each gets the answer to its own question"
        (process,) = {one.hands for one in found}
        assert lives(process)
        with pytest.raises(InvalidInputError, match="no hearts here"):
            await coach.ask("g", REFUSED)
        assert (await coach.ask("g", ANSWERED)).hands == process, "a refusal ends nothing"
        await coach.close()
        assert not lives(process)

    tried(work)


def test_a_process_that_ends_is_told_of_and_the_next_question_begins_another() -> None:
    async def work(coach: CoachProcess) -> None:
        before = (await coach.ask("g", ANSWERED)).hands
        with pytest.raises(CoachGoneError, match="has ended"):
            await coach.ask("g", ENDS)
        after = (await coach.ask("g", ANSWERED)).hands
        assert after != before
        os.kill(after, 9)
        while lives(after):  # until it is waited for
            await asyncio.sleep(0.01)
        with suppress(CoachGoneError):  # whoever asks in the moment of its end may miss it
            await coach.ask("g", ANSWERED)
        assert (await coach.ask("g", ANSWERED)).hands not in (before, after)

    tried(work)


@pytest.mark.parametrize("card", ["Jk", "Qs"])
def test_what_is_no_answer_to_the_question_is_given_to_nobody(card: str) -> None:
    async def work(coach: CoachProcess) -> None:
        before = (await coach.ask("g", ANSWERED)).hands
        with pytest.raises(CoachGoneError, match="an invalid answer"):
            await coach.ask("g", parse_cards(card))
        assert (await coach.ask("g", ANSWERED)).hands != before

    tried(work)


def test_who_waits_too_long_is_told_so_and_whoever_goes_leaves_no_answer_behind() -> None:
    async def work(coach: CoachProcess) -> None:
        with pytest.raises(CoachGoneError, match="takes too long"):
            await coach.ask("g", SILENT)
        gone = asyncio.create_task(coach.ask("g", SILENT))
        await asyncio.sleep(0.01)
        gone.cancel()
        with suppress(asyncio.CancelledError):
            await gone
        assert gone.cancelled()

    tried(work, limit=0.3)


def test_too_many_are_refused_at_once_and_those_who_wait_are_answered() -> None:
    async def work(coach: CoachProcess) -> None:
        waiting = [asyncio.create_task(coach.ask("g", ANSWERED)) for _ in range(12)]
        await asyncio.sleep(0)
        with pytest.raises(CoachBusyError, match="too many questions wait"):
            await coach.ask("g", ANSWERED)
        assert len(await asyncio.gather(*waiting)) == 12
        assert (await coach.ask("g", ANSWERED)).best.win == 13, "once they are answered there is room"

    tried(work)


@pytest.mark.parametrize(("longer", "says"), [(-1, "so it is"), (0, "so it is"), (1, "an invalid answer")])
def test_an_answer_is_a_mebibyte_long_at_most(longer: int, says: str) -> None:
    program = (
        "import json, sys; told = json.loads(sys.stdin.readline());"
        "told['value'] = {'id': 1, 'refused': 'so it is'};"
        f"print(json.dumps(told).ljust({2**20 + longer}), flush=True)"
    )
    padded = (sys.executable, "-c", program)

    async def run() -> None:
        coach = CoachProcess(padded)
        with pytest.raises((InvalidInputError, CoachGoneError), match=says):
            await coach.ask("g", ANSWERED)
        await coach.close()

    asyncio.run(run())


def test_a_server_needs_no_array_and_no_compiler_to_ask() -> None:
    said = "import sys, houseway.service.server_setup; print(sorted({'numpy', 'numba'} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
