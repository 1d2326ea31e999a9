"""Body and attachments of a mail."""

from typing import TYPE_CHECKING

from .amounts import squeezed

if TYPE_CHECKING:
    from email.message import EmailMessage


def body_of(mail: "EmailMessage") -> str:
    """The text body as it stands, plain before HTML; empty where there is none."""
    part = mail.get_body(preferencelist=("plain", "html"))
    return str(part.get_content()) if part is not None else ""


def addressed_to(mail: "EmailMessage", address: str) -> bool:
    header = mail["to"]
    return header is not None and any(a.addr_spec.casefold() == address.casefold() for a in header.addresses)


def attachments_of(mail: "EmailMessage") -> dict[str, bytes]:
    """File name to decoded bytes; a later one of the same name wins."""
    found: dict[str, bytes] = {}
    for part in mail.iter_attachments():
        content = part.get_payload(decode=True)
        if isinstance(content, bytes):
            found[squeezed(part.get_filename() or "")] = content
    return found
