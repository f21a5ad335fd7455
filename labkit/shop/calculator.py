"""Arithmetic for the model, and nothing but arithmetic."""

import ast
import operator
import re
from collections.abc import Callable

from simpleeval import InvalidExpression, SimpleEval  # type: ignore[import-untyped]

from labkit.faults import Fault, shown

Number = int | float

LONGEST = 200
LARGEST = 1e300
MOST_BITS = 1024  # of an integer power; LARGEST has 997
DECIMALS = 10
ALPHABET = re.compile(r"[0-9.eE_+\-*/%()\s]*", re.ASCII)
VALID = "numbers, + - * / // % ** and parentheses"


def calculate(expression: object) -> Number:
    """The value of `expression`, to ten decimals; whole-number sums stay integers.

    Raises Fault for anything but short arithmetic on finite numbers.
    """
    if not isinstance(expression, str):
        raise Fault(f"expression must be text made of {VALID}, not {shown(expression)}")
    if len(expression) > LONGEST:
        raise Fault(
            f"the expression has {len(expression)} characters; split it into "
            f"expressions of at most {LONGEST}"
        )
    value = _evaluate(expression)
    # `or 0.0` because a rounded-away negative would be shown as -0.0
    return value if isinstance(value, int) else round(value, DECIMALS) or 0.0


def _evaluate(expression: str) -> Number:
    """The exact value of the text, or a Fault that says why there is none."""
    try:
        # The alphabet keeps names, text and comparisons away from the parser,
        # which would warn on stderr about some of them.
        if not ALPHABET.fullmatch(expression):
            raise SyntaxError
        tree = ast.parse(expression.strip(), mode="eval").body
        return _within(_EVALUATOR.eval(expression, previously_parsed=tree))
    except ZeroDivisionError:
        reason = "it divides by zero"
    except OverflowError:
        reason = f"a number in it goes beyond {LARGEST:g}"
    except ArithmeticError:
        reason = "the root of a negative number is not a real number"
    except (InvalidExpression, SyntaxError, TypeError, ValueError):
        reason = f"only {VALID} are understood"
    except (RecursionError, MemoryError):
        reason = "it is nested too deeply, so simplify it"
    raise Fault(f"cannot calculate {shown(expression)}: {reason}")


def _within(value: Number | complex) -> Number:
    """`value`, if it is a real number of a size that JSON and a reader can take."""
    if isinstance(value, complex):
        raise ArithmeticError
    if not abs(value) <= LARGEST:  # put this way round, it catches nan too
        raise OverflowError
    return value


def _constant(node: ast.Constant) -> Number:
    """The literal's number; True, None and ... are constants to Python as well."""
    value = node.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    return _within(value)


def _power(base: Number, exponent: Number) -> Number | complex:
    """base ** exponent, refused by its size before the work is done."""
    whole = isinstance(base, int) and isinstance(exponent, int)
    if whole and abs(base) > 1 and int(base).bit_length() * exponent > MOST_BITS:
        raise OverflowError
    result: Number | complex = base**exponent
    return result


def _checked(
    operate: Callable[[Number, Number], Number | complex],
) -> Callable[[Number, Number], Number]:
    """`operate` with each result held within bounds, not only the last one."""
    return lambda left, right: _within(operate(left, right))


def _arithmetic_only() -> SimpleEval:
    """simpleeval, left with the kinds of node that arithmetic is made of."""
    evaluator = SimpleEval(
        operators={
            ast.Add: _checked(operator.add),
            ast.Sub: _checked(operator.sub),
            ast.Mult: _checked(operator.mul),
            ast.Div: _checked(operator.truediv),
            ast.FloorDiv: _checked(operator.floordiv),
            ast.Mod: _checked(operator.mod),
            ast.Pow: _checked(_power),
            ast.UAdd: operator.pos,
            ast.USub: operator.neg,
        },
        functions={},
        names={},
    )
    nodes = {kind: evaluator.nodes[kind] for kind in (ast.BinOp, ast.UnaryOp)}
    evaluator.nodes = {**nodes, ast.Constant: _constant}
    return evaluator


_EVALUATOR = _arithmetic_only()
