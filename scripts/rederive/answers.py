"""Tokens, served models and money from the stored answers and the prices of their rows."""

import json
from collections import Counter

from experiment import Experiment, Record
from findings import Findings
from rows import is_open, milliseconds

USAGE = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens")


def check_answers(experiment: Experiment, report: Record, rows: list[Record], found: Findings) -> None:
    """The row speaks for itself only where no answer is kept: a model that was not allowed, or an end of after the totals."""
    found.group = "answers"
    reported: Counter[tuple[str, str]] = Counter()
    money: Counter[tuple[str, str]] = Counter()
    served: dict[str, dict[str, Counter[str]]] = {}
    for row in rows:
        arm, role, model = row["arm"], row["role"], row["model"]
        if is_open(row, milliseconds(experiment.totals_at(arm, role))):
            money[arm, role] += row["bound"] or 0
            continue
        answer = json.loads(row["answer"]) if row["answer"] is not None else None
        usage = {name: row[name] for name in USAGE} if row[USAGE[0]] is not None else None
        if answer is not None:
            response = answer.get("response")
            usage = response["usage"] if response else None
            model = " ".join(response["servedModel"].split()) if response else None
        if usage is not None:
            reported[arm, role] += usage["inputTokens"] + usage["outputTokens"]
        money[arm, role] += cost(json.loads(row["price"]), row["state"], usage, row["bound"])
        if model is not None:
            count = served.setdefault(role, {}).setdefault(model, Counter())
            count["calls"] += 1
            for name in ("cacheRead", "cacheWrite", "reasoning"):
                count[name] += (usage or {}).get(f"{name}Tokens") or 0
    for arm, role in money:
        said = experiment.tokens(arm, role)
        found.same(f"{arm} {role} tokens reported", reported[arm, role], said["reported"])
        found.same(f"{arm} {role} money", money[arm, role], said["microUsd"])
    for row in report["served"]:
        counted = served.get(row["role"], {})
        found.same(f"{row['role']} served by", sorted(counted), sorted(each["model"] for each in row["served"]))
        for stated in row["served"]:
            for name in stated.keys() - {"model"}:
                derived = counted.get(stated["model"], Counter())[name]
                found.same(f"{row['role']} {stated['model']} {name}", derived, stated[name])


def cost(price: Record, state: str, usage: Record | None, bound: int | None) -> int:
    """Millionths of a dollar, rounded up for each request; a request that told no usage costs its bound."""
    if state == "rejected" or price["kind"] == "free":
        return 0
    if usage is None or price["kind"] == "unknown":
        return bound or 0
    longer = price["longPrompt"]
    rates = longer["rates"] if longer is not None and usage["inputTokens"] > longer["above"] else price["rates"]
    read, written = usage["cacheReadTokens"] or 0, usage["cacheWriteTokens"] or 0
    plain = max(0, usage["inputTokens"] - read - written)
    parts = plain * rates["input"] + read * rates["cacheRead"] + written * rates["cacheWrite"]
    return -(-(parts + usage["outputTokens"] * rates["output"]) // 1_000_000)
