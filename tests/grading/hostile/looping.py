"""Loops and waits that do not end by themselves."""

from tests.grading.hostile.case import Case, first, run

CASES = [
    Case("busy_while_loading", "timeout", first("while True: pass"), seen="line 1"),
    Case("asleep_while_loading", "timeout", first("import time; time.sleep(3600)")),
    Case("busy", "timeout", run("while True: pass"), seen="line 6"),
    Case("asleep", "timeout", run("import time\ntime.sleep(3600)"), seen="line 7"),
    Case(
        "asks_for_ever",
        "failed",
        run("""
        messages = [{"role": "user", "content": question}]
        while True:
            self.complete(messages)
    """),
    ),
    Case(
        "asks_for_ever_and_catches",
        "failed",
        run("""
        messages = [{"role": "user", "content": question}]
        while True:
            try:
                self.complete(messages)
            except Exception:
                continue
    """),
    ),
    Case(
        "asks_for_ever_and_catches_everything",
        "failed timeout",
        run("""
        messages = [{"role": "user", "content": question}]
        while True:
            try:
                self.complete(messages)
            except:
                continue
    """),
    ),
    Case(
        "one_request_too_many",
        "failed",
        run("""
        result = Result(question, messages=[{"role": "user", "content": question}])
        for _ in range(self.limits.steps + 1):
            self.complete(result.messages)
        return result
    """),
    ),
    Case(
        "catches_everything",
        "timeout",
        run("""
        import time
        while True:
            try:
                time.sleep(10)
            except:
                pass
    """),
    ),
    Case(
        "finally_continues",
        "timeout",
        run("""
        while True:
            try:
                pass
            finally:
                continue
    """),
    ),
    Case(
        "suppresses",
        "timeout",
        run("""
        from contextlib import suppress
        while True:
            with suppress(BaseException):
                while True:
                    pass
    """),
    ),
    Case("loop_in_c", "timeout", run("return str(sum(range(10**13)))"), seen="line 6"),
    Case("large_power", "timeout", run("return str(7 ** (10 ** 9))")),
    Case(
        "regular_expression",
        "timeout",
        run("""
        import re
        re.match("(a+)+$", "a" * 60 + "b")
    """),
    ),
    Case(
        "ignores_the_limit",
        "timeout",
        run("""
        import signal
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)
        while True:
            pass
    """),
    ),
    Case(
        "ignores_every_signal",
        "timeout",
        run("""
        import signal
        for number in (2, 10, 14, 15):
            signal.signal(number, signal.SIG_IGN)
        while True:
            pass
    """),
    ),
    Case("recursion", "error", run("return self.run(question)"), seen="RecursionError"),
    Case(
        "deadlock",
        "timeout",
        run("""
        import threading
        lock = threading.Lock()
        lock.acquire()
        lock.acquire()
    """),
        seen="line 9",
    ),
    Case("a_queue_nobody_fills", "timeout", run("import queue\nqueue.Queue().get()")),
    Case(
        "a_pool_that_waits",
        "timeout",
        run("""
        import time
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor() as pool:
            pool.submit(time.sleep, 3600).result()
    """),
    ),
    Case(
        "a_message_that_hangs",
        "timeout",
        run("""
        class Odd(Exception):
            def __str__(self):
                while True:
                    pass
        raise Odd
    """),
    ),
    Case(
        "a_clock_that_stands_still",
        "timeout",
        run("""
        import time
        time.time = time.monotonic = time.perf_counter = lambda: 0.0
        while True:
            pass
    """),
    ),
    Case(
        "calls_tools_for_ever",
        "timeout output",
        run("""
        while True:
            self.registry["lookup_order"](order_id="NW-1041")
    """),
    ),
    Case(
        "an_await_that_never_comes",
        "timeout",
        run("""
        import asyncio
        asyncio.run(asyncio.Event().wait())
    """),
    ),
    Case(
        "input_is_waited_for",
        "timeout error",
        run("""
        import sys
        while not sys.stdin.readline():
            pass
    """),
    ),
]
