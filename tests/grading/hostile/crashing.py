"""Code that ends its process, or takes more than there is."""

from tests.grading.hostile.case import Case, first, run

CASES = [
    Case("leaves_while_loading", "crashed", first("import os; os._exit(0)")),
    Case("leaves", "crashed", run("import os\nos._exit(0)"), seen="exit status 0"),
    Case("leaves_with_our_status", "crashed", run("import os\nos._exit(86)")),
    Case("exit_while_loading", "error", first("import sys; sys.exit(0)")),
    Case("exit", "error", run("import sys\nsys.exit(0)"), seen="SystemExit"),
    Case("quit", "error", run("raise SystemExit('done')")),
    Case("abort", "crashed", run("import os\nos.abort()"), seen="SIG"),
    Case("null_pointer", "crashed", run("import ctypes\nctypes.string_at(0)")),
    Case(
        "kills_itself",
        "crashed timeout failed",
        run("""
        import os
        os.kill(os.getpid(), 9)
        return "alive"
    """),
    ),
    Case(
        "kills_everybody",
        "failed",
        run("""
        import os
        for pid in range(2, 70_000):
            try:
                os.kill(pid, 9)
            except OSError:
                pass
        return "x"
    """),
        without="crashed",
    ),
    Case("forks_for_ever", "error", run("import os\nwhile True:\n    os.fork()")),
    Case(
        "starts_processes",
        "error",
        run("""
        import multiprocessing
        multiprocessing.Process(target=print).start()
    """),
    ),
    Case(
        "threads_for_ever",
        "error",
        run("""
        import threading, time
        while True:
            threading.Thread(target=time.sleep, args=(99,), daemon=True).start()
    """),
        seen="thread",
    ),
    Case(
        "small_threads_for_ever",
        "error",
        run("""
        import threading, time
        threading.stack_size(32 << 10)
        for _ in range(9000):
            threading.Thread(target=time.sleep, args=(99,), daemon=True).start()
        return "9000 threads"
    """),
        without="error timeout",
        seen="thread",
    ),
    Case(
        "a_list_for_ever",
        "memory",
        run("""
        kept = []
        while True:
            kept.append("y" * 10**6)
    """),
    ),
    Case("memory_while_loading", "memory error", first("kept = bytearray(8 << 30)")),
    Case(
        "a_memory_error_is_swallowed",
        "timeout",
        run("""
        kept = []
        while True:
            try:
                kept.append(bytearray(10**7))
            except MemoryError:
                pass
    """),
    ),
    Case(
        "shared_memory",
        "error",
        run("""
        import mmap
        held = [mmap.mmap(-1, 1 << 28) for _ in range(100)]
        return "25 GiB"
    """),
    ),
    Case(
        "fills_the_disk",
        "error",
        run("""
        for number in range(10_000):
            with open(f"f{number}", "wb") as file:
                file.write(b"x" * 10**6)
        return "10 GB"
    """),
    ),
    Case(
        "one_large_file",
        "error",
        run("""
        with open("large", "wb") as file:
            for _ in range(1000):
                file.write(b"x" * 10**6)
    """),
    ),
    Case(
        "fills_the_log",
        "error",
        run("""
        while True:
            with open(self.trace.target, "a") as file:
                file.write("x" * 10**6)
    """),
    ),
    Case(
        "opens_for_ever",
        "error",
        run("""
        import os
        while True:
            os.open(os.devnull, os.O_RDONLY)
    """),
    ),
    Case("prints_for_ever", "output", run("while True:\n    print('x' * 1000)")),
    Case(
        "errors_for_ever",
        "output",
        run("""
        import sys
        while True:
            sys.stderr.write("x" * 1000)
    """),
    ),
    Case(
        "prints_past_python",
        "timeout",
        run("""
        import os
        while True:
            os.write(1, b"x" * 1000)
    """),
    ),
    Case("a_huge_answer", "failed", run('return "x" * (100 << 20)')),
    Case(
        "a_huge_request",
        "tampered memory error",
        run("""
        self.complete([{"role": "user", "content": "x" * (20 << 20)}])
    """),
    ),
    Case("a_list_that_holds_itself", "failed", run("x = []\nx.append(x)\nreturn x")),
    Case(
        "a_message_that_raises",
        "error",
        run("""
        class Odd(Exception):
            def __str__(self):
                raise RuntimeError
        raise Odd
    """),
    ),
    Case("lone_surrogates", "failed", run(r'print("\ud800")' "\n" r'return "\udfff"')),
    Case(
        "recursion_in_c",
        "crashed error timeout",
        run("""
        import sys
        sys.setrecursionlimit(10**9)
        nest = []
        for _ in range(10**6):
            nest = [nest]
        return repr(nest)
    """),
    ),
]
