"""The coach of a server: a warm process beside it that answers one question after the other."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from itertools import count
from typing import Final

from houseway.cards import Cards
from houseway.errors import HousewayError, InvalidInputError
from houseway.games import Submission
from houseway.rounds.coaching import CoachQuestion, CoachReply, HandWorth
from houseway.rounds.codec import decode, encode

COMMAND: Final = (sys.executable, "-m", "houseway.odds.coach_worker")
LONGEST_ANSWER: Final = 1 << 20
"""The longest answer, in bytes."""
TIME_LIMIT: Final = 180.0
"""Seconds a question may take; the first about a game counts the dealer's setting of every hand."""
MOST_WAITING: Final = 12
"""The most questions that wait at once; further ones are refused with "ask again"."""
RETRY_AFTER: Final = 2
"""Seconds to wait before asking again."""


class NoCoachError(HousewayError):
    """The coach has no answer now, through no fault of the question: ask again."""

    wait: Final = RETRY_AFTER
    """Seconds to wait before asking again."""


class CoachBusyError(NoCoachError):
    """Too many questions wait for the coach."""


class CoachGoneError(NoCoachError):
    """The coach's process ended, or took too long; the next question starts another."""


class CoachProcess:
    """A coach in a process of its own, started with the first question and again after it has ended."""

    def __init__(
        self, command: Sequence[str] = COMMAND, limit: float = TIME_LIMIT, most: int = MOST_WAITING
    ) -> None:
        self._command, self._limit, self._most = command, limit, most
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._numbers = count(1)
        self._process: Process | None = None

    async def ask(
        self,
        game: str,
        cards: Cards,
        seen: Cards = (),
        submission: Submission | None = None,
        *,
        doubled: bool = False,
    ) -> HandWorth:
        """Return the value of every legal setting of a hand against the house way of some rules.

        Raise ``NoCoachError`` if there is no answer now, ``InvalidInputError`` if the question is refused.
        """
        if self._waiting >= self._most:
            raise CoachBusyError("too many questions wait for the coach: ask again", value=self._waiting)
        question = CoachQuestion(
            id=next(self._numbers),
            game=game,
            cards=cards,
            seen=seen,
            submission=submission,
            doubled=doubled,
        )
        self._waiting += 1
        try:
            async with self._turn:
                reply = await self._exchange(question)
        finally:
            self._waiting -= 1
        if reply.worth is None:
            raise InvalidInputError(reply.refused)
        return reply.worth

    async def close(self) -> None:
        """Kill the process."""
        process, self._process = self._process, None
        if process is not None:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def _exchange(self, question: CoachQuestion) -> CoachReply:
        """Send a question and read its answer; a process that fails to answer is killed."""
        try:
            async with asyncio.timeout(self._limit):
                line = await self._send_line(encode(question) + b"\n")
            reply = decode(CoachReply, line)
            if reply.id != question.id:
                raise ValueError(reply.id)
        except (OSError, ValueError) as error:
            await self.close()
            raise CoachGoneError(f"the coach {_failure_words(error)}: ask again") from error
        except BaseException:
            await self.close()  # the question was cancelled: its answer would be taken for that of the next
            raise
        return reply

    async def _send_line(self, line: bytes) -> bytes:
        process = await self._start()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(line)
        await process.stdin.drain()
        answer = await process.stdout.readline()
        if not answer.endswith(b"\n"):
            raise BrokenPipeError
        return answer

    async def _start(self) -> Process:
        """Return the process, restarted if it has ended."""
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, limit=LONGEST_ANSWER, start_new_session=True
            )
        return self._process


def _failure_words(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "takes too long"
    return "has ended" if isinstance(error, OSError) else "sent an invalid answer"
