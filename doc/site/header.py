"""A public header as a page of Markdown: its comments become text, its declarations blocks of C.

    doc/site/header.py lib/scankit.h
"""
import re
import sys

NAMES = re.compile(r"\b(?:scankit_\w+(?:\(\))?|SCANKIT_\w+)")
SECTION = re.compile(r"^/\* -{4} (.*?) -{4,}")
DECLARED = re.compile(r"\b(scankit_\w+)\(")
TYPEDEF = re.compile(r"^typedef (?:struct|enum) (\w+)", re.M)
LIST = re.compile(r"^#define (SCANKIT_\w+)\(X\)", re.M)
PLUMBING = re.compile(r"^(?:#if|#endif|#else|#include|#define SCANKIT(?:_GROUP|_MPI)?_(?:H|API)\b|extern \"C\"|\}$)")


def blocks(text):
    """The header's comments and groups of declarations: ("comment" or "code", lines)."""
    kind, lines, depth = None, [], 0
    for line in text.splitlines():
        if kind is None and line:
            kind = "comment" if line.startswith("/*") else "code"
        if kind == "code" and depth == 0 and (not line or line.startswith("/*")):
            yield kind, lines
            kind, lines = ("comment" if line else None), []
        if kind:
            lines.append(line)
            if kind == "code" and not PLUMBING.match(line):
                depth += line.count("{") - line.count("}")
        if kind == "comment" and line.endswith("*/"):
            yield kind, lines
            kind, lines = None, []


def escaped(line):
    """A line of a comment: names in code type, no other character with a meaning in Markdown."""
    if line.startswith("    "):
        return line
    parts, end = [], 0
    for name in NAMES.finditer(line):
        parts += [re.sub(r"([*_<>`\[\]])", r"\\\1", line[end:name.start()]), f"`{name.group()}`"]
        end = name.end()
    return "".join(parts) + re.sub(r"([*_<>`\[\]])", r"\\\1", line[end:])


def text_of(comment):
    """The text of a comment's lines. A list and a line that begins "Method:" begin a paragraph."""
    inside = "\n".join(comment)[2:-2]
    lines = [re.sub(r"^(?: \* ?| \*$)", "", line).rstrip() for line in inside.split("\n")]
    lines = [line for line in lines if not line.startswith("SPDX-")]
    lines[0] = lines[0].lstrip()
    result = []
    for line in lines:
        last = result[-1] if result else ""
        begins = line.startswith("Method:") or (line.startswith("- ") and not last.startswith(("- ", "  ")))
        if begins and last:
            result.append("")
        result.append(escaped(line))
    return "\n".join(result).strip("\n")


def declarations(lines):
    """The lines of C, without the macro that exports them and without what only compilers need."""
    result, exported = [], False
    for line in lines:
        exported = line.startswith("SCANKIT_API ") or (exported and line.startswith(" " * 12))
        result.append(line[12:] if exported else line)
    return "\n".join(result)


def heading(code):
    """The names that a group of declarations declares, as a heading with a target for links."""
    names = list(dict.fromkeys(f"{name}()" for name in DECLARED.findall("\n".join(
        line for line in code.splitlines() if not line.startswith((" ", "#", "typedef"))))))
    names = names or TYPEDEF.findall(code)[:1] or LIST.findall(code)[:1]
    if not names:
        return ""
    targets = "".join(f"({target(name)})=\n" for name in names)
    return f"{targets}### {', '.join(f'`{name}`' for name in names)}\n\n"


def target(name):
    """The id of a name's heading."""
    return "c-" + name.rstrip("()").replace("_", "-")


def page(text):
    """The whole page."""
    parts, comment, first = [], None, True
    for kind, lines in blocks(text):
        section = SECTION.match(lines[0]) if kind == "comment" else None
        if kind == "code" and PLUMBING.match(lines[0]):
            continue
        if kind == "code":
            code = declarations(lines)
            parts.append(heading(code) + (f"{comment}\n\n" if comment else "") + f"```c\n{code}\n```")
            comment = None
            continue
        if comment:
            parts.append(comment)
        comment = f"## {section.group(1)}" if section else text_of(lines)
        if section or first:
            parts.append(comment)
            comment, first = None, False
    result = "\n\n".join(parts + ([comment] if comment else [])) + "\n"
    return result if "\n## " in result else result.replace("\n### ", "\n## ")


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as header:
        print(page(header.read()), end="")
