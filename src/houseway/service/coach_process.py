"""The coach of a server: a process beside it that stays warm, asked one question after the other."""

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
"""No answer is longer, in bytes."""
TIME_LIMIT: Final = 180.0
"""Seconds a question may take: the first about a game has the dealer's setting of every hand counted."""
MOST_WAITING: Final = 12
"""So many questions wait at once; who comes later is told to ask again."""
RETRY_AFTER: Final = 2
"""Seconds after which asking again may help."""


class NoCoachError(HousewayError):
    """There is no answer now, whatever was asked: asking again helps."""

    wait: Final = RETRY_AFTER
    """Seconds to wait before asking again."""


class CoachBusyError(NoCoachError):
    """Too many wait for the coach."""


class CoachGoneError(NoCoachError):
    """The coach's process ended, or took too long; the next question begins another."""


class CoachProcess:
    """Asks a coach in a process of its own, begun with the first question and again whenever it has ended."""

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
        """Return what every legal setting of a hand is worth against the house way of some rules."""
        if self._waiting >= self._most:
            raise CoachBusyError("too many wait for the coach: ask again", value=self._waiting)
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
        """End the process, whatever it does."""
        process, self._process = self._process, None
        if process is not None:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def _exchange(self, question: CoachQuestion) -> CoachReply:
        """Ask, and wait for the answer; a process that does not give it is of no more use."""
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
            await self.close()  # whoever asked has gone: the answer would be taken for another's
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
        """Return the process, begun anew if it has ended."""
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, limit=LONGEST_ANSWER, start_new_session=True
            )
        return self._process


def _failure_words(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "takes too long"
    return "has ended" if isinstance(error, OSError) else "said what is no answer"
