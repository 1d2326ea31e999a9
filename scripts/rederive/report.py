"""The report's numbers, as JSON and as the table that people read."""

import math
from collections import Counter

from experiment import COLUMNS, FINALS, SCORED, Experiment, Record, Unreadable
from findings import Findings


def check_cells(experiment: Experiment, revision: str, name: str, stated: Record, found: Findings) -> None:
    for column in COLUMNS:
        if column not in stated:
            continue
        derived = experiment.numbers(revision, column)
        for key, value in derived.items():
            said = stated[column][key]["kind"] if key == "verdict" else stated[column][key]
            found.same(f"{name} {column} {key}", value, said)


def check_report(experiment: Experiment, report: Record, found: Findings) -> None:
    identity = experiment.identity
    found.group = "results"
    check_cells(experiment, identity["harness"], "h0", report["baseline"], found)
    for arm in report["arms"]:
        name = arm["arm"]
        for row in arm["candidates"] + arm["champions"]:
            check_cells(experiment, row["digest"], f"{name} {row['revision']}", row, found)
    found.group = "champions"
    for arm in report["arms"]:
        stated = {row["label"]: row["digest"] for row in arm["champions"]}
        rows = [r for r in experiment.records if r["kind"] == "champion" and r["arm"] == arm["arm"]]
        frozen = {row["label"]: row["revision"] for row in rows}
        found.same(f"{arm['arm']} frozen champions", frozen, stated)
        if stated:
            found.same(f"{arm['arm']} champions by the disclosed numbers", experiment.champions(arm["arm"]), stated)
        rows = [r for r in experiment.records if r["kind"] == "query" and r["arm"] == arm["arm"]]
        disclosed = [r for r in rows if r["state"] == "disclosed" and r["query"] is not None]
        found.same(f"{arm['arm']} queries used", len(disclosed), arm["queries"]["used"])
        found.same(f"{arm['arm']} queries cap", identity["budgets"]["arm"]["selectionQueries"], arm["queries"]["cap"])
        found.same(f"{arm['arm']} queries within the cap", True, len(disclosed) <= arm["queries"]["cap"])
        for row in disclosed:
            derived = experiment.numbers(row["revision"], "selection")
            found.same(f"{arm['arm']} query {row['query']} exact", derived["mean"], row["exact"])
    found.group = "outcomes"
    for row in report["outcomes"]:
        digest = revision_digest(experiment, row["arm"], row["revision"])
        tasks = experiment.tasks((row["split"],))
        outcomes = [experiment.outcome(digest, task["id"]) for task in tasks]
        ended = Counter(outcome["kind"] for outcome in outcomes if outcome is not None)
        name = f"{row['revision']} {row['split']}"
        causes = Counter(o["cause"] for o in outcomes if o is not None and o["kind"] == "scored_with_agent_error")
        stated = {c["cause"]: c["count"] for c in row["agentErrors"] if c["count"] > 0}
        found.same(f"{name} agent errors", dict(causes), stated)
        for key, kind in (("ended", "scored"), ("infra", "unscored_infra"), ("cancelled", "cancelled")):
            found.same(f"{name} {key}", ended[kind], row[key])
        found.same(f"{name} planned", len(tasks), row["planned"])
    for row in report["attempts"]:
        records = [r for r in experiment.attempts if r["split"] == row["split"]]
        counted = [r for r in experiment.canonical.values() if r["split"] == row["split"]]
        derived = [len(experiment.tasks((row["split"],))), len(records), len(counted)]
        found.same(f"{row['split']} tasks, records, counted", derived, [row["tasks"], row["records"], row["canonical"]])
    found.group = "tokens"
    for row in report["resources"]["tokens"] or []:
        names = ("calls", "reported", "charged", "unknownRows")
        derived = experiment.tokens(None, row["role"])
        found.same(f"{row['role']} tokens", [derived[name] for name in names], [row[name] for name in names])
    for arm in report["arms"]:
        for role, stated in arm["tokens"].items():
            derived = experiment.tokens(arm["arm"], role)
            for count in ("reported", "charged"):
                found.same(f"{arm['arm']} {role} {count}", derived[count], stated[count])
    check_money(experiment, report, found)
    check_updates(experiment, report, found)
    for row in report["resources"]["solver"]:
        digest = revision_digest(experiment, row["arm"], row["revision"])
        for cell in [*row["byModality"], {**row["all"], "modality": None}]:
            check_resources(experiment, digest, f"{row['revision']} {cell['modality'] or 'all'}", cell, found)


def check_money(experiment: Experiment, report: Record, found: Findings) -> None:
    """Money in millionths of a dollar; unknown, not 0, where one total was recorded without it."""
    found.group = "money"
    latest = {(r["arm"], r["role"]): r for r in experiment.records if r["kind"] == "usage"}
    rows = list(latest.values())
    known = bool(rows) and all("microUsd" in row for row in rows)
    money = report["resources"]["money"]
    found.same("of all roles", sum(row["microUsd"] for row in rows) if known else None, money["microUsd"])
    found.same("calls without a price", sum(row.get("unpricedCalls", 0) for row in rows), money["unpricedCalls"])
    for total in report["resources"]["tokens"] or []:
        own = [row for row in rows if row["role"] == total["role"]]
        known = all("microUsd" in row for row in own)
        found.same(f"of the {total['role']}", sum(row["microUsd"] for row in own) if known else None, total["microUsd"])
    found.group = "tokens"


def check_updates(experiment: Experiment, report: Record, found: Findings) -> None:
    claimed = {arm["arm"]: row for arm in report["arms"] for row in arm["champions"] if row["claimed"]}
    for row in report["resources"]["updates"]:
        champion = claimed.get(row["arm"])
        if row["arm"] is not None and champion is None:
            gains = [row[column] for column in ("inDomain", "crossOffice", "all")]
            found.same(f"gains of {row['arm']}", [None, None, None], gains)
            continue
        digest = experiment.identity["harness"] if champion is None else champion["digest"]
        for column in ("inDomain", "crossOffice", "all"):
            gain = experiment.numbers(digest, column)["delta"]
            found.same(f"gain of {row['arm'] or 'h0'} {column}", gain, row[column])
        usages = scored_usages(experiment, digest, experiment.tasks(FINALS))
        tokens = reported_tokens(usages)
        stated = row["finalInference"]
        derived = [sum(tokens) if tokens else None, len(tokens)]
        found.same(f"final inference of {row['arm'] or 'h0'}", derived, [stated["reported"], stated["records"]])


def check_resources(experiment: Experiment, digest: str, name: str, cell: Record, found: Findings) -> None:
    tasks = [t for t in experiment.tasks(FINALS) if cell["modality"] in (None, t["modality"])]
    scored = scored_usages(experiment, digest, tasks)
    tokens = reported_tokens(scored)
    minutes = [row["wallMs"] / 60_000 for row in scored if row["wallMs"] > 0]
    for what, values in (("tokens", tokens), ("minutes", minutes)):
        found.same(f"{name} {what}", math.fsum(values) / len(values) if values else None, cell[what]["mean"])
        found.same(f"{name} records of {what}", len(values), cell[what]["records"])


def scored_usages(experiment: Experiment, digest: str, tasks: list[Record]) -> list[Record]:
    rows = [experiment.canonical.get((digest, task["id"], 0)) for task in tasks]
    return [row for row in rows if row is not None and row["outcome"]["kind"] in SCORED]


def reported_tokens(records: list[Record]) -> list[int]:
    """Tokens of the attempts all of whose requests told their usage; the others are left out, never 0."""
    usages = [record["usage"] for record in records]
    return [u["tokensReported"] + u["tokensInherited"] for u in usages if u["tokensReported"] == u["tokensCharged"]]


def revision_digest(experiment: Experiment, arm: str | None, name: str) -> str:
    if arm is None or name == "h0":
        return str(experiment.identity["harness"])
    number = int(name.removeprefix("cand-"))
    for r in experiment.records:
        if r["kind"] == "revision" and r["arm"] == arm and r["candidate"] == number:
            return str(r["revision"])
    raise Unreadable(f"no revision record of {arm} {name}")


def check_table(experiment: Experiment, report: Record, text: str, found: Findings) -> None:
    """The results table as a person reads it, cell by cell."""
    found.group = "table"
    section = text.split("## Results")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    rows = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in lines[2:]]
    digests = [experiment.identity["harness"]]
    for arm in report["arms"]:
        digests += list(dict.fromkeys(row["digest"] for row in arm["champions"])) or [""]
    found.same("number of rows", len(digests), len(rows))
    for digest, (name, *cells) in zip(digests, rows):
        for index, column in enumerate(COLUMNS):
            mean, delta, scored = cells[3 * index : 3 * index + 3]
            if digest == "":
                found.same(f"{name} {column}", "---", mean + delta + scored)
                continue
            n = experiment.numbers(digest, column)
            claim = " (no claim)" if "below" in n["verdict"] else ""
            found.same(f"{name} {column} scored", f"{n['scored']}/{n['planned']}{claim}", scored)
            for what, value, shown in (("mean", n["mean"], mean), ("change", n["delta"], delta)):
                found.same(f"{name} {column} {what} in the table", True, is_rounded(value, shown))


def is_rounded(value: float | None, shown: str) -> bool:
    """Whether two decimals of a number stand there, a half rounded either way."""
    if value is None or shown == "-":
        return value is None and shown == "-"
    return abs(float(shown) - value) <= 0.005 + 1e-9
