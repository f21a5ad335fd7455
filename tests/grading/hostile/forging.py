"""Code that would rather be judged by itself."""

from tests.grading.hostile.case import GOOD, Case, first, run

STREAM = """
import gc, json, socket
found = [o for o in gc.get_objects() if isinstance(o, socket.socket)]
stream = next(o for o in found if o.fileno() >= 0)
def tell(frame):
    data = frame if isinstance(frame, bytes) else json.dumps(frame).encode()
    stream.sendall(len(data).to_bytes(4, "big") + data)
"""
RESULT = {"returned": {"type": "Result", "fields": {"answer": "64.00"}}}
LOADED = {"unwritten": {}, "missing": {}, "notes": [], "fault": None}

CASES = [
    Case(
        "equal_to_everything",
        "failed",
        run("""
        class Equal:
            __hash__ = None
            def __eq__(self, other):
                return True
        return Equal()
    """),
    ),
    Case(
        "a_result_that_equals",
        "failed",
        run("""
        class Equal(str):
            __hash__ = None
            def __eq__(self, other):
                return True
        return Result(question, answer=Equal("x"), stopped_by=Equal("answered"))
    """),
    ),
    Case(
        "changes_the_test_library",
        "failed",
        run("""
        import unittest
        unittest.TestCase.assertEqual = lambda *args: None
        return "x"
    """),
    ),
    Case(
        "changes_the_judge",
        "failed",
        run("""
        import labkit.checking.judge as judge, labkit.checking.report as report
        judge._judge_evidence = lambda check, seen, result: None
        report.CheckResult.passed = True
        return "x"
    """),
    ),
    Case(
        "looks_up_the_stack",
        "error",
        run("""
        import sys
        frame = sys._getframe()
        while frame := frame.f_back:
            for value in (*frame.f_locals.values(), *frame.f_globals.values()):
                if type(value).__name__ in ("Checker", "Provider", "World"):
                    return value
        raise LookupError
    """),
        seen="LookupError",
    ),
    Case(
        "looks_through_memory",
        "error",
        run("""
        import gc
        kinds = ("Checker", "Check", "Recording", "Provider", "World", "Shop")
        for thing in gc.get_objects():
            if type(thing).__name__ in kinds:
                return str(thing)
        raise LookupError
    """),
        seen="LookupError",
    ),
    Case(
        "looks_for_the_seed",
        "error",
        run("""
        import gc
        for thing in gc.get_objects():
            if type(thing) is dict and "order" in thing and "seed" in str(thing):
                return str(thing)
        raise LookupError
    """),
    ),
    Case(
        "writes_to_everything",
        "tampered",
        run(r"""
        import os
        for fd in range(3, 64):
            try:
                os.write(fd, b"\xff" * 64)
            except OSError:
                pass
        return "x"
    """),
    ),
    Case(
        "closes_everything",
        "crashed",
        run("""
        import os
        os.closerange(3, 64)
        return "x"
    """),
    ),
    Case(
        "an_outcome_before_it_is_asked",
        "tampered",
        first(STREAM + f"tell({{'loaded': {LOADED}}})\ntell({{'outcome': {RESULT}}})"),
    ),
    Case(
        "an_outcome_of_its_own",
        "tampered",
        run(
            STREAM
            + f"""
tell({{"outcome": {RESULT}}})
return "x"
"""
        ),
    ),
    Case(
        "answers_twice",
        "tampered",
        GOOD
        + """
    def run(self, question):
        import sys
        from labkit.checking.plain import plain
        result = super().run(question)
        frame = sys._getframe()
        while "taken" not in frame.f_locals:
            frame = frame.f_back
        key = frame.f_locals["taken"]["id"]
        tell({"outcome": {"returned": plain(result)}, "id": key})
        return result
"""
        + STREAM,
    ),
    Case(
        "says_that_the_lab_is_broken",
        "tampered",
        first(STREAM + f"tell({{'loaded': {LOADED | {'stopped': 'broken'}}}})"),
    ),
    Case(
        "a_frame_that_is_too_long",
        "tampered",
        run(
            STREAM
            + """
import os
os.write(stream.fileno(), b"\\xff\\xff\\xff\\xff")
return "x"
"""
        ),
    ),
    Case(
        "a_frame_that_is_too_deep",
        "tampered",
        run(
            STREAM
            + """
tell(b'{"ask":' + b'[' * 100_000 + b']' * 100_000 + b'}')
return "x"
"""
        ),
    ),
    Case(
        "a_frame_that_is_rather_deep",
        "tampered",
        run(
            STREAM
            + """
deep = b'{"kind": "slept", "seconds": ' + b'[' * 500 + b']' * 500 + b'}'
tell(b'{"ask": ' + deep + b'}')
return "x"
"""
        ),
    ),
    Case(
        "a_frame_that_is_no_object", "tampered", run(STREAM + 'tell([1])\nreturn "x"')
    ),
    Case(
        "a_question_of_its_own",
        "tampered",
        run(
            STREAM
            + """
tell({"ask": {"kind": "stop", "reason": "passed"}})
return "x"
"""
        ),
    ),
    Case(
        "a_number_without_end",
        "tampered",
        run(
            STREAM
            + """
tell(b'{"outcome": ' + b'9' * 100_000 + b'}')
return "x"
"""
        ),
    ),
    Case(
        "changes_json",
        "failed",
        run("""
        import json
        json.dumps = lambda *args, **kwargs: "PASSED"
        return "x"
    """),
    ),
    Case(
        "changes_what_is_sent",
        "tampered",
        run("""
        import labkit.checking.channel as channel
        channel.dumps = lambda frame: "PASSED"
        return "x"
    """),
    ),
    Case(
        "never_reads",
        "tampered timeout output",
        run(
            STREAM
            + """
while True:
    tell({"ask": {"kind": "slept", "seconds": 1}})
"""
        ),
    ),
    Case(
        "half_a_frame",
        "timeout",
        run(
            STREAM
            + """
import os, time
os.write(stream.fileno(), b"\\0\\0\\1\\0")
time.sleep(3600)
"""
        ),
    ),
    Case(
        "a_pickle",
        "failed",
        run("""
        class Bomb:
            def __reduce__(self):
                import os
                return os.system, ("touch /tmp/was-here",)
        return Bomb()
    """),
    ),
    Case(
        "an_exception_of_its_own",
        "error",
        run("""
        class Quit(BaseException):
            pass
        raise Quit("passed")
    """),
    ),
    Case(
        "hard_coded",
        "failed",
        run("""
        for _ in range(3):
            self.complete([{"role": "user", "content": question}])
        return Result(question, answer="64.00", stopped_by="answered", steps=3)
    """),
    ),
    Case(
        "fishes_for_more",
        "failed",
        run("""
        for _ in range(6):
            reply = self.complete([{"role": "user", "content": question}])
        return reply.choices[0].message.content
    """),
    ),
    Case(
        "the_finished_agent",
        "not_started failed",
        run("""
        from labkit.agent.loop import Agent as Finished
        return Finished.run(self, question)
    """),
    ),
]
