"""Code that looks for files which are not its own, or changes them."""

from tests.grading.hostile.case import Case, run

LAB = "import labkit, pathlib\nlab = pathlib.Path(labkit.__file__).parents[1]\n"

CASES = [
    Case(
        "reads_the_checks",
        "error",
        run(
            LAB
            + """
text = (lab / "checkers" / "lesson_03_loop.py").read_text()
return text
"""
        ),
    ),
    Case(
        "reads_a_recording_by_name",
        "error",
        run("""
        from labkit.replay import find_recording
        return find_recording("shipping_chain").turns[-1]["body"]
    """),
    ),
    Case(
        "lists_the_recordings",
        "error",
        run(
            LAB
            + """
found = [str(path) for path in (lab / "recordings").rglob("*")]
raise LookupError(f"{len(found)} recordings")
"""
        ),
        seen="0 recordings",
    ),
    Case(
        "reads_the_history",
        "error",
        run(
            LAB
            + """
return (lab / ".git" / "HEAD").read_text()
"""
        ),
    ),
    Case("imports_a_checker", "error", run("import checkers.lesson_03_loop")),
    Case("reads_the_users", "error", run('return open("/etc/passwd").read()')),
    Case(
        "reads_the_home",
        "error",
        run("""
        import os
        for home in ("/root", "/home"):
            if found := os.listdir(home):
                return str(found)
        raise LookupError
    """),
    ),
    Case(
        "reads_the_environment_of_others",
        "error",
        run("""
        import os
        for pid in os.listdir("/proc"):
            if pid.isdigit() and b"OPENAI" in open(f"/proc/{pid}/environ", "rb").read():
                return pid
        raise LookupError
    """),
    ),
    Case(
        "reads_its_own_environment",
        "error",
        run("""
        return open("/proc/self/environ").read()
    """),
    ),
    Case(
        "writes_the_memory_of_others",
        "error",
        run("""
        return open("/proc/1/mem", "wb").write(b"x")
    """),
    ),
    Case(
        "writes_results",
        "failed",
        run("""
        import json
        for name in ("results.json", "../results.jsonl", "/tmp/results.jsonl"):
            try:
                with open(name, "w") as file:
                    file.write(json.dumps({"status": "graded", "score": 12}))
            except OSError:
                pass
        print(json.dumps({"status": "graded", "score": 12}))
        return "x"
    """),
    ),
    Case(
        "changes_the_lab",
        "error",
        run("""
        import labkit.checking.judge as judge
        open(judge.__file__, "a").write("x")
    """),
    ),
    Case(
        "changes_modes",
        "error",
        run("""
        import os
        os.chmod("/etc/passwd", 0o777)
    """),
    ),
    Case("changes_times", "error", run('import os\nos.utime("/usr/bin")')),
    Case("truncates", "error", run('import os\nos.truncate("/etc/passwd", 0)')),
    Case("links", "error", run('import os\nos.link("/etc/passwd", "passwd")')),
    Case(
        "follows_a_link_of_its_own",
        "error",
        run("""
        import os
        os.symlink("/etc/passwd", "link")
        return open("link").read()
    """),
    ),
    Case(
        "looks_at_its_neighbours",
        "error",
        run("""
        import os
        for folder in ("/tmp", "/var/tmp", "/dev/shm/.."):
            os.listdir(folder)
    """),
    ),
    Case(
        "looks_for_what_others_left",
        "failed",
        run("""
        import os
        found = os.listdir(".")
        open("left-over", "w").close()
        return Result(question, answer=f"found {found}", stopped_by="answered")
    """),
        without="error",
    ),
    Case(
        "makes_a_device",
        "error",
        run("""
        import os, stat
        os.mknod("zero", 0o666 | stat.S_IFCHR, os.makedev(1, 5))
    """),
    ),
    Case(
        "opens_by_handle",
        "error",
        run("""
        import ctypes
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.open_by_handle_at(-100, ctypes.create_string_buffer(64), 0) < 0:
            raise OSError(ctypes.get_errno(), "refused")
        return "opened"
    """),
    ),
]
