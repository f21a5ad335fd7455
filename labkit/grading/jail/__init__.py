"""What confines learner's code on Linux: namespaces, Landlock, seccomp, limits.

Everything here fails closed: a step that the system refuses raises OSError, and whoever
called it ends the process.
"""
