"""The manual pages as pages of the site, by mandoc."""
import re
import subprocess
from pathlib import Path

NAME = r"(gpu(?:sort|compact|rle|scan|img)|scankit(?:_group|_mpi)?)"
PLAIN = re.compile(rf"\b{NAME}\(([135])\)")
BOLD = re.compile(rf"<b>{NAME}</b>\(([135])\)")


def pages(folder):
    """The manual pages of a folder: (name of the page on the site, file)."""
    return [(f"man/{path.name}", path) for path in sorted(Path(folder).glob("*.[1-9]"))]


def title(path):
    """gpusort(1)"""
    return f"{path.stem}({path.suffix[1:]})"


def body(path):
    """The page as HTML that stands inside of a page of the site: its headings are one level lower."""
    # mandoc leaves out the empty lines of examples, but not the space of a request.
    source = re.sub(r"^\.EX\n.*?^\.EE$", lambda block: re.sub(r"^$", ".sp", block.group(), flags=re.M),
                    path.read_text(encoding="utf-8"), flags=re.S | re.M)
    command = ["mandoc", "-T", "html", "-O", "fragment"]
    text = subprocess.run(command, check=True, input=source, capture_output=True, encoding="utf-8").stdout
    text = re.sub(r'<table class="(?:head|foot)">.*?</table>', "", text, flags=re.S)
    # mandoc breaks a line of an example before its indentation, where it has a line feed already.
    text = re.sub(r"<pre>.*?</pre>", lambda block: block.group().replace("<br/>\n", ""), text, flags=re.S)
    for level in (2, 1):
        text = re.sub(rf"(</?)h{level}\b", rf"\g<1>h{level + 1}", text)
    return f"<h1>{title(path)}</h1>\n" + BOLD.sub(r'<a href="\1.\2.html"><b>\1</b>(\2)</a>', text)
