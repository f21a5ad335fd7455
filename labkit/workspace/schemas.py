"""What the model is told about the workspace: a system prompt and two schemas."""

from typing import Any

SYSTEM = (
    "You answer questions about the code base in a folder, which you see only through "
    "list_dir and read_file. Open files before you answer, and follow what they import "
    "until you have read the lines that decide. If a file is not where you expect it, "
    "list the folder. Cite each file you rely on by its path, and none that you did "
    "not open."
)

LIST_DIR = {
    "type": "function",
    "function": {
        "name": "list_dir",
        "description": (
            "List the names directly inside a folder, sorted; a folder's name ends "
            "with a slash. Folders inside it are not opened: list them in turn."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "path": {
                    "type": "string",
                    "description": (
                        "The folder, relative to the root of the code base, such as "
                        "docs/images. Leave it out for the root itself."
                    ),
                }
            },
            "required": [],
            "additionalProperties": False,
        },
    },
}

READ_FILE = {
    "type": "function",
    "function": {
        "name": "read_file",
        "description": (
            "Read a text file: its first 8,000 characters, and whether there are more."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "path": {
                    "type": "string",
                    "description": (
                        "The file, relative to the root of the code base, such as "
                        "docs/index.md."
                    ),
                }
            },
            "required": ["path"],
            "additionalProperties": False,
        },
    },
}

TOOLS: list[dict[str, Any]] = [LIST_DIR, READ_FILE]
