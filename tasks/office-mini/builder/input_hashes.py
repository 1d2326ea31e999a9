"""inputs.sha256: one line per generated input, as sha256sum prints it."""

from pathlib import Path

NAME = "inputs.sha256"


def read_hashes(source: Path) -> dict[str, str]:
    """'p1/deck.pptx' to its hash; empty where the file is not there."""
    path = source / NAME
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {name: digest for digest, name in (line.split("  ", 1) for line in lines)}


def write_hashes(source: Path, hashes: dict[str, str]) -> None:
    lines = [f"{digest}  {name}\n" for name, digest in sorted(hashes.items())]
    (source / NAME).write_text("".join(lines), encoding="utf-8")


def differences(recorded: dict[str, str], built: dict[str, str]) -> list[str]:
    """One sentence per input that is new, gone or different."""
    return [
        f"{name}: recorded {recorded.get(name, 'not at all')}, built {built.get(name, 'not at all')}"
        for name in sorted({*recorded, *built})
        if recorded.get(name) != built.get(name)
    ]
