"""How requests reach the threads in which they are answered.

Django passes a request to a thread of its own and back several times: when it begins, for each change between what
is a coroutine and what is not, and when it is over; then it lets the thread go, and with it the connection to the
database, whose opening takes longer than most of what is asked. Here a few threads stay, each with its connection,
and a request goes there once, with all that belongs to it, when it is its turn (`companion/turns.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from contextvars import Context, copy_context
from typing import IO, Any, TypeVar
from weakref import WeakKeyDictionary

from asgiref.sync import sync_to_async
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_started
from django.db import close_old_connections, connection
from django.http.response import FileResponse, HttpResponseBase
from django.urls import set_script_prefix

from companion.bodies import NO_ROOM, refuse
from companion.hosts import Receive, Scope, Send
from companion.turns import Turns

MOST = 16  # threads; only so many can take long at one moment before others wait
AT_ONCE_ELSEWHERE = 3  # requests: while one waits for a database in another process, others can work

T = TypeVar("T")

_threads = ThreadPoolExecutor(MOST, thread_name_prefix="request")


async def in_thread(work: Callable[..., T], *told: Any, context: Context | None = None) -> T:
    """Do something that waits, in one of the threads, as if it were done here, or in that context."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_threads, (context or copy_context()).run, work, *told)


class Handler(ASGIHandler):
    """Django's, with threads that stay."""

    def __init__(self) -> None:
        self.load_middleware()  # none of it made of coroutines
        self._turns: WeakKeyDictionary[asyncio.AbstractEventLoop, Turns] = WeakKeyDictionary()

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        except OSError:  # a large one lies on the disk meanwhile, which is full
            await refuse(scope, send, NO_ROOM)
            return
        async with self._turn():
            context = copy_context()  # the reader's language, for what is sent bit by bit
            response = await in_thread(self._answer, scope, body, context=context)
        if response.streaming:
            await self._stream(response, receive, send, context)
        else:
            await self.send_response(response, send)

    def _turn(self) -> AbstractAsyncContextManager[None]:
        loop = asyncio.get_running_loop()
        if loop not in self._turns:
            self._turns[loop] = Turns(1 if connection.vendor == "sqlite" else AT_ONCE_ELSEWHERE)
        return self._turns[loop].turn()

    def _answer(self, scope: Scope, body: IO[bytes]) -> HttpResponseBase:
        """All that is done for a request but sending; only what is sent bit by bit is not over with it."""
        with body:
            set_script_prefix(get_script_prefix(scope))
            request_started.send(sender=self.__class__, scope=scope)
            request, refused = self.create_request(scope, body)
            response: Any = refused if request is None else self.get_response(request)
            response._handler_class = self.__class__  # noqa: SLF001 - as Django says who is done
            if isinstance(response, FileResponse):
                response.block_size = self.chunk_size
            if response.streaming:
                close_old_connections()  # it is over only when it was sent, elsewhere: the pool would wait for that
            else:
                response.close()
            return response  # type: ignore[no-any-return]

    async def _stream(self, response: Any, receive: Receive, send: Send, context: Context) -> None:
        """Until it ends, or whoever reads it is gone."""
        sent = asyncio.create_task(self.send_response(response, send), context=context)
        gone = asyncio.create_task(self.listen_for_disconnect(receive))
        try:
            await asyncio.wait((sent, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sent.cancel()
            gone.cancel()
            failed, _gone = await asyncio.gather(sent, gone, return_exceptions=True)
            await sync_to_async(response.close)()  # where it was read, if that was in a thread
        if isinstance(failed, Exception):
            raise failed
