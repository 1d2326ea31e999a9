"""Formula text to a tree, on openpyxl's tokenizer."""

from dataclasses import dataclass

from openpyxl.formula.tokenizer import Token, Tokenizer, TokenizerError

from .values import ExcelError, Scalar, Unsupported

LENGTH_LIMIT = 8_192
DEPTH_LIMIT = 64


@dataclass(frozen=True)
class Constant:
    value: Scalar


@dataclass(frozen=True)
class Reference:
    """A cell, a range or a name, as written."""

    text: str


@dataclass(frozen=True)
class Operation:
    """An operator with one operand (prefix, or `%`) or two."""

    operator: str
    operands: tuple["Node", ...]


@dataclass(frozen=True)
class Call:
    function: str
    arguments: tuple["Node", ...]


@dataclass(frozen=True)
class ArrayConstant:
    rows: tuple[tuple[Scalar, ...], ...]


Node = Constant | Reference | Operation | Call | ArrayConstant

_BINDING = {"=": 1, "<>": 1, "<": 1, ">": 1, "<=": 1, ">=": 1, "&": 2, "+": 3, "-": 3, "*": 4, "/": 4, "^": 5}


def parse(formula: str) -> Node:
    """The tree of a formula that starts with '='. Raises Unsupported for anything malformed."""
    if len(formula) > LENGTH_LIMIT:
        raise Unsupported("a formula longer than Excel allows")
    try:
        tokens = [t for t in Tokenizer(formula).items if t.type != Token.WSPACE]
    except (TokenizerError, IndexError) as error:
        raise Unsupported(f"malformed formula: {error}") from None
    parser = _Parser(tokens)
    tree = parser.expression(0)
    if parser.peek() is not None:
        raise Unsupported("malformed formula: text after its end")
    return tree


class _Parser:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.position = 0
        self.depth = 0

    def peek(self) -> Token | None:
        return self.tokens[self.position] if self.position < len(self.tokens) else None

    def take(self) -> Token:
        token = self.peek()
        if token is None:
            raise Unsupported("malformed formula: it ends too early")
        self.position += 1
        return token

    def expression(self, binding: int) -> Node:
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            raise Unsupported("a formula nested deeper than Excel allows")
        left = self.operand()
        while (token := self.peek()) is not None:
            if token.type == Token.OP_POST:
                self.take()
                left = Operation("%", (left,))
            elif token.type == Token.OP_IN and _BINDING.get(token.value, -1) > binding:
                self.take()
                left = Operation(token.value, (left, self.expression(_BINDING[token.value])))
            elif token.type == Token.OP_IN and token.value not in _BINDING:
                raise Unsupported(f"operator {token.value!r}")
            else:
                break
        self.depth -= 1
        return left

    def operand(self) -> Node:
        token = self.take()
        if token.type == Token.OP_PRE:
            # A sign binds tighter than '^' in Excel: -2^2 is 4.
            return Operation(token.value, (self.expression(5),))
        if token.type == Token.OPERAND:
            return _operand(token)
        if token.type == Token.PAREN and token.subtype == Token.OPEN:
            inner = self.expression(0)
            self.expect_close()
            return inner
        if token.type == Token.FUNC and token.subtype == Token.OPEN:
            return Call(token.value[:-1].upper().removeprefix("_XLFN.").removeprefix("_XLWS."), self.arguments())
        if token.type == Token.ARRAY and token.subtype == Token.OPEN:
            return self.array()
        raise Unsupported(f"malformed formula at {token.value!r}")

    def arguments(self) -> tuple[Node, ...]:
        arguments: list[Node] = []
        if self.at_close():
            self.take()
            return ()
        while True:
            token = self.peek()
            empty = token is not None and (token.type == Token.SEP or self.at_close())
            arguments.append(Constant(None) if empty else self.expression(0))
            token = self.take()
            if token.subtype == Token.CLOSE:
                return tuple(arguments)
            if token.type != Token.SEP:
                raise Unsupported(f"malformed formula at {token.value!r}")

    def array(self) -> Node:
        rows: list[list[Scalar]] = [[]]
        while (token := self.take()).subtype != Token.CLOSE:
            if token.type == Token.SEP:
                if token.subtype == Token.ROW:
                    rows.append([])
            elif token.type == Token.OPERAND and isinstance(constant := _operand(token), Constant):
                rows[-1].append(constant.value)
            else:
                raise Unsupported("an array constant with more than constants")
        return ArrayConstant(tuple(tuple(row) for row in rows))

    def at_close(self) -> bool:
        token = self.peek()
        return token is not None and token.subtype == Token.CLOSE

    def expect_close(self) -> None:
        if self.take().subtype != Token.CLOSE:
            raise Unsupported("malformed formula: a bracket is not closed")


def _operand(token: Token) -> Node:
    if token.subtype == Token.NUMBER:
        return Constant(float(token.value))
    if token.subtype == Token.TEXT:
        return Constant(token.value[1:-1].replace('""', '"'))
    if token.subtype == Token.LOGICAL:
        return Constant(token.value.upper() == "TRUE")
    if token.subtype == Token.ERROR:
        return Constant(ExcelError(token.value.upper()))
    return Reference(token.value)
