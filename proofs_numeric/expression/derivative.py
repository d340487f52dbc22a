"""Derivatives of expressions, by rule."""

from proofs_numeric.expression.nodes import (
    ADD,
    DIVIDE,
    MULTIPLY,
    NEGATE,
    POWER,
    SUBTRACT,
    Expression,
    Function,
    lift,
    symbol,
)

_ZERO, _ONE = lift(0), lift(1)


def derivative(expression: Expression, *variables: str) -> Expression:
    """Return the partial derivative by each of the variables in turn.

    Raises:
        ArithmeticError: a function of the variable has no rule.
    """
    for variable in variables:
        slopes: dict[Expression, Expression] = {}
        for node in expression.nodes():
            slopes[node] = _slope(node, symbol(variable), slopes)
        expression = slopes[expression]
    return expression


def _slope(node: Expression, variable: Expression, slopes: dict[Expression, Expression]) -> Expression:
    if not isinstance(node.head, Function):
        return _ONE if node is variable else _ZERO
    moves = [slopes[argument] for argument in node.arguments]
    if all(move is _ZERO for move in moves):
        return _ZERO
    if node.head is NEGATE:
        return _minus(_ZERO, moves[0])
    if node.head in {ADD, SUBTRACT}:
        return (_plus if node.head is ADD else _minus)(*moves)
    if node.head in {MULTIPLY, DIVIDE, POWER}:
        return _slope_of_operation(node, *node.arguments, *moves)
    total = _ZERO
    for place, move in enumerate(moves):
        if move is not _ZERO:
            partial = node.head.partials[place] if place < len(node.head.partials) else None
            if partial is None:
                raise ArithmeticError(
                    f"expected a derivative rule for argument {place + 1} of {node.head.name}, got none"
                )
            total = _plus(total, _times(partial(*node.arguments), move))
    return total


def _slope_of_operation(
    node: Expression, first: Expression, second: Expression, first_move: Expression, second_move: Expression
) -> Expression:
    if node.head is MULTIPLY:
        return _plus(_times(first_move, second), _times(first, second_move))
    if node.head is DIVIDE:
        return _minus(_over(first_move, second), _over(_times(node, second_move), second))
    if second_move is not _ZERO:
        raise ArithmeticError(f"expected an exponent without the variable in {node}; use power or exp")
    less = second.head - 1 if isinstance(second.head, int) else second - 1
    return _times(_times(second, _ONE if less == 0 else first if less == 1 else first**less), first_move)


def _plus(first: Expression, second: Expression) -> Expression:
    return second if first is _ZERO else first if second is _ZERO else first + second


def _minus(first: Expression, second: Expression) -> Expression:
    return first if second is _ZERO else -second if first is _ZERO else first - second


def _times(first: Expression, second: Expression) -> Expression:
    if _ZERO in {first, second}:
        return _ZERO
    return second if first is _ONE else first if second is _ONE else first * second


def _over(first: Expression, second: Expression) -> Expression:
    return _ZERO if first is _ZERO else first / second
