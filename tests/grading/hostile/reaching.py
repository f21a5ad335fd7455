"""Code that reaches for secrets, the network, other processes, the kernel."""

from tests.grading.hostile.case import Case, run

CALL = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def need(back):
    if back < 0:
        raise OSError(ctypes.get_errno(), "refused")
"""

CASES = [
    Case(
        "a_key_in_the_environment",
        "error",
        run("""
        import os
        return os.environ["OPENAI_API_KEY"]
    """),
        seen="KeyError",
    ),
    Case(
        "http",
        "error",
        run("""
        import urllib.request
        return urllib.request.urlopen("http://127.0.0.1:9/", timeout=3).read()
    """),
    ),
    Case(
        "a_client_of_its_own",
        "error",
        run("""
        import openai
        client = openai.OpenAI(api_key="x", base_url="http://127.0.0.1:9/v1",
                               max_retries=0)
        return client.chat.completions.create(model="m", messages=[])
    """),
        seen="Connection",
    ),
    Case(
        "a_server",
        "error",
        run("""
        import socket
        socket.create_server(("127.0.0.1", 0))
    """),
    ),
    Case(
        "a_datagram",
        "error",
        run("""
        import socket
        socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9))
    """),
    ),
    Case(
        "a_datagram_pair",
        "error",
        run("""
        import socket
        socket.socketpair(type=socket.SOCK_DGRAM)
    """),
    ),
    Case(
        "a_socket_of_the_host",
        "error",
        run("""
        import socket
        socket.socket(socket.AF_UNIX).connect("/run/docker.sock")
    """),
    ),
    Case(
        "a_name_without_a_path",
        "error",
        run("""
        import socket
        socket.socket(socket.AF_UNIX).connect("\\0hidden")
    """),
    ),
    Case(
        "resolves_a_name",
        "error",
        run("""
        import socket
        return str(socket.getaddrinfo("example.org", 80))
    """),
    ),
    Case(
        "a_shell",
        "error",
        run("""
        import subprocess
        return subprocess.check_output(["id"], text=True)
    """),
    ),
    Case(
        "becomes_another_program",
        "error",
        run("""
        import os
        os.execv("/bin/sh", ["sh", "-c", "echo passed"])
    """),
    ),
    Case(
        "attaches_to_others",
        "error",
        run(
            CALL
            + """
for pid in range(1, 50_000):
    if libc.ptrace(16, pid, 0, 0) == 0:
        return "attached"
raise PermissionError("no luck")
"""
        ),
    ),
    Case(
        "remounts",
        "error",
        run(
            CALL
            + """
need(libc.mount(None, b"/", None, 32, None))
return "remounted"
"""
        ),
    ),
    Case(
        "a_namespace_of_its_own",
        "error",
        run(
            CALL
            + """
need(libc.unshare(0x10000000))
return "root"
"""
        ),
    ),
    Case(
        "joins_another_namespace",
        "error",
        run(
            CALL
            + """
import os
need(libc.setns(os.open("/proc/1/ns/net", os.O_RDONLY), 0))
return "joined"
"""
        ),
    ),
    Case("changes_its_root", "error", run('import os\nos.chroot(".")')),
    Case("becomes_root", "error", run("import os\nos.setuid(0)")),
    Case(
        "asks_the_kernel_for_a_ring",
        "error",
        run(
            CALL
            + """
need(libc.syscall(425, 8, ctypes.create_string_buffer(120)))
return "io_uring"
"""
        ),
    ),
    Case(
        "a_program_in_the_kernel",
        "error",
        run(
            CALL
            + """
import platform
need(libc.syscall({"x86_64": 321, "aarch64": 280}[platform.machine()], 0, 0, 0))
return "bpf"
"""
        ),
    ),
    Case(
        "raises_its_limits",
        "error",
        run("""
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
    """),
    ),
    Case(
        "limits_the_grader",
        "error",
        run("""
        import os, resource
        for pid in (os.getppid(), 1, 2):
            if pid and pid != os.getpid():
                resource.prlimit(pid, resource.RLIMIT_CPU, (1, 1))
        raise LookupError("nobody else is here")
    """),
    ),
    Case(
        "opens_its_way_back",
        "error",
        run(
            CALL
            + """
need(libc.prctl(22, 0, 0, 0, 0))
return "free"
"""
        ),
    ),
]
