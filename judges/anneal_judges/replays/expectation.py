"""What a replay must earn, and where a verdict misses it."""

from typing import Any

TOLERANCE = 1e-6


def misses(expected: dict[str, Any], report: dict[str, Any] | None) -> list[str]:
    """One sentence per way in which a verdict is not the declared one; empty when it is.

    `expected` is one table of expected.toml: `reward` is a closed interval; `delivered`,
    `failing`, `unknown` and `categories` are compared where they are declared.
    """
    if report is None:
        return ["the judge wrote no verdict"]
    low, high = expected["reward"]
    found = []
    if not low - TOLERANCE <= report["reward"] <= high + TOLERANCE:
        found.append(f"reward {report['reward']}, declared {low} to {high}")
    if low == high == 0 and report["reward"] != 0:
        found.append(f"reward {report['reward']} is not exactly 0")
    seen = {"delivered": report["delivered"], **violations(report)}
    for name, value in seen.items():
        if name in expected and expected[name] != value:
            found.append(f"{name} {value}, declared {expected[name]}")
    return found


def violations(report: dict[str, Any]) -> dict[str, list[str]]:
    """`failing`: criteria not fully met and penalties hit, in order; `unknown`; `categories` of the failing, sorted."""
    failing = [c for c in report["criteria"] if c["status"] in ("fail", "partial")]
    return {
        "failing": [c["id"] for c in failing],
        "unknown": [c["id"] for c in report["criteria"] if c["status"] == "unknown"],
        "categories": sorted({c["category"] for c in failing}),
    }
