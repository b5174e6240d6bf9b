"""The results as Markdown."""
import datetime
import os

from . import host

HEAD = ("| row | by | seconds | least to most | rounds | peak MiB | ratio |\n"
        "| --- | --- | --- | --- | --- | --- | --- |")


def number(value):
    """Three digits."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def verdict(is_met):
    return "met" if is_met else "missed"


def goal_text(measured, ours, goal):
    """The ratio to one rival, or to a sum of rivals' times."""
    if any(way.error for way in measured.rivals if way.name in goal):
        return "no rival's time"
    ratio = measured.ratio(ours, goal)
    ended = all(way.ended() for way in measured.rivals if way.name in goal)
    sign = "" if ended else "less than "
    if len(goal) == 1:
        (name, factor), = goal.items()
        return f"{sign}{ratio:.2f} of {name} (goal {factor:.2f}: {verdict(ratio <= factor)})"
    terms = " + ".join(name if factor == 1 else f"{factor:g} {name}" for name, factor in goal.items())
    return f"{sign}{ratio:.2f} of {terms} (goal 1: {verdict(ratio <= 1)})"


def peak_text(measured, way, options):
    """The goal of peak memory holds at full scale."""
    goal = measured.row.peak
    if way not in measured.ours or not goal or options.scale != 1:
        return f"{way.peak():.0f}"
    return f"{way.peak():.0f} (goal {goal:.0f}: {verdict(way.peak() <= goal)})"


def cells(*texts):
    return "| " + " | ".join(str(text).replace("|", "\\|") for text in texts) + " |"


def way_line(measured, way, title, options):
    if way.error:
        return cells(title, way.name, "failed", "", "", "", "")
    seconds = [cost.seconds for cost in way.costs]
    more = "" if way.ended() else "over "
    peak = "" if way.printed else peak_text(measured, way, options)
    ratio = "; ".join(goal_text(measured, way, goal) for goal in measured.row.goals) if way in measured.ours else ""
    return cells(title, way.name, more + number(way.seconds()), f"{number(min(seconds))} to {number(max(seconds))}",
                 len(seconds), peak, ratio)


def print_row(measured, options):
    row = measured.row
    for i, way in enumerate(measured.ways()):
        title = "" if i else f"{row.name}: {row.title}"
        print(way_line(measured, way, title, options), flush=True)


def print_other(row, text):
    print(cells(f"{row.name}: {row.title}", text, "", "", "", "", ""), flush=True)


def print_head(options):
    print(f"# Whole files, {datetime.date.today()}\n")
    for fact in host.facts(options):
        print(f"- {fact}")
    print("\nMedians. Ratios are medians of the ratios of each round. Peak: the largest process, with mapped pages of "
          "files.\n")
    print(HEAD, flush=True)


def shown(command, options):
    """A command without the folders of this machine."""
    for name, path in options.programs.items():
        command = command.replace(f"{{{name}}}", {"directory": "."}.get(name, os.path.basename(path)))
    return command


def print_commands(rows, options):
    """What was run, for rows that were measured."""
    print("\n```")
    for measured in rows:
        for way in measured.ways():
            print(f"{measured.row.name:16} {way.name}: {shown(way.command, options)}")
    print("```", flush=True)
