"""The documentation as a site, by Sphinx: `make docs`. Neither this nor the pages read anything from the network."""
import re
import sys
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.osutil import relative_uri

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))

import header  # noqa: E402
import manuals  # noqa: E402

project = "scankit"
version = re.search(r"AC_INIT\(\[scankit\], \[([^]]+)\]", (ROOT / "configure.ac").read_text(encoding="utf-8")).group(1)
extensions = ["myst_parser"]
root_doc = "index"
exclude_patterns = ["site"]
smartquotes = False
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]  # shell programs over several lines: shown plain
myst_heading_anchors = 3

html_theme = "alabaster"
html_static_path = ["static"]
html_title = f"scankit {version}"
html_show_sourcelink = html_copy_source = False
html_show_copyright = html_show_sphinx = False
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}
html_theme_options = {
    "description": "Sorting and data processing built on scan",
    "fixed_sidebar": True,
    "show_powered_by": False,
    "sidebar_collapse": True,
    "page_width": "1200px",
    "sidebar_width": "230px",
}

# By the page of the reference: the header that it is made from.
HEADERS = {
    "reference/scankit": "lib/scankit.h",
    "reference/scankit_group": "lib/scankit_group.h",
    "reference/scankit_mpi": "lib/mpi/scankit_mpi.h",
}


# By the file outside this folder: its page.
PAGES = {"CONTRIBUTING.md": "/contributing.md", "python/README.md": "/python.md"}


def link_outside(app, name, source):
    """Links to Markdown outside this folder lead to its page, or else to a copy of the file."""
    folder = (HERE.parent / name).parent

    def link(found):
        file = (folder / found[2]).resolve()
        if HERE.parent in file.parents:
            return found[0]
        page = PAGES.get(file.relative_to(ROOT).as_posix())
        return f"[{found[1]}]({page})" if page else f"{{download}}`{found[1]} <{found[2]}>`"

    source[0] = re.sub(r"\[([^]]+)\]\((\.\./[^)]*\.md)\)", link, source[0])


def read_header(app, name, source):
    """A page of the reference is its own text, then the header's."""
    if name in HEADERS:
        source[0] += "\n" + header.page((ROOT / HEADERS[name]).read_text(encoding="utf-8"))


def write_manuals(app):
    """The manual pages, in the site's frame."""
    for name, path in manuals.pages(ROOT / "man"):
        yield name, {"title": manuals.title(path), "body": manuals.body(path), "parents": []}, "page.html"


def declarations():
    """By the name of a function: the page of the reference that describes it."""
    return {name: page for page, file in HEADERS.items()
            for name in re.findall(r"^\(c-(.*)\)=$", header.page((ROOT / file).read_text(encoding="utf-8")), re.M)}


class Links(SphinxPostTransform):
    """Names of manual pages, gpusort(1), and of functions, `scankit_sort()`, become links."""

    default_priority = 900
    declared = declarations()

    def link(self, page, text, anchor=""):
        uri = relative_uri(self.app.builder.get_target_uri(self.env.docname), f"{page}.html")
        return nodes.reference("", "", text, refuri=uri + anchor, internal=True)

    def functions(self):
        for node in list(self.document.findall(nodes.literal)):
            name = header.target(node.astext())[2:]
            if name in self.declared and isinstance(node.parent, nodes.paragraph):
                node.replace_self(self.link(self.declared[name], node.deepcopy(), f"#c-{name}"))

    def manuals(self):
        unlinked = (nodes.reference, nodes.literal, nodes.literal_block, nodes.title)
        for node in list(self.document.findall(nodes.Text)):
            if isinstance(node.parent, unlinked) or not manuals.PLAIN.search(node):
                continue
            parts, end = [], 0
            for name in manuals.PLAIN.finditer(node):
                text = nodes.Text(name.group())
                parts += [nodes.Text(node[end:name.start()]), self.link(f"man/{name.group(1)}.{name.group(2)}", text)]
                end = name.end()
            node.parent.replace(node, parts + [nodes.Text(node[end:])])

    def run(self, **arguments):
        self.functions()
        self.manuals()


def add_menu(app, page, template, context, tree):
    """On a narrow screen the menu is below the page; a link leads there."""
    context["body"] = '<p class="menu"><a href="#searchbox">Menu</a></p>' + context.get("body", "")


def setup(app):
    app.add_css_file("scankit.css")
    app.connect("source-read", link_outside)
    app.connect("source-read", read_header)
    app.connect("html-page-context", add_menu)
    app.connect("html-collect-pages", write_manuals)
    app.add_post_transform(Links)
