"""The text of any message shape: a string, null, a list of blocks, no content at all, or a Responses object."""


def text_of(message: object) -> str:
    """Return the text of `message`; total, never raises, unknown shapes give an empty string."""
    content = message.get("content") if isinstance(message, dict) else message
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = [content]
    if not isinstance(content, list):
        return ""
    parts = []
    for block in content:
        if isinstance(block, str):
            parts.append(block)
        elif isinstance(block, dict) and isinstance(block.get("text"), str):
            parts.append(block["text"])
    return "\n".join(parts)
