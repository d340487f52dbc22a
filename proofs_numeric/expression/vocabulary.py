"""The words that claims are written in, for ``import *`` in the modules of a paper: formulas, statements and proofs."""

from dataclasses import replace

from proofs_numeric.arithmetic import Arithmetic, Ball, Float64, Number
from proofs_numeric.arithmetic.formula import Formula, Value
from proofs_numeric.expression import (
    Expression,
    Paper,
    Phi,
    algorithm,
    at_most,
    eq,
    exp,
    expm1,
    factors,
    floor,
    largest_of,
    lift,
    log,
    log1p,
    log_cdf,
    maximum,
    mills,
    minimum,
    part,
    phi,
    pi,
    product_of,
    profile,
    quantile,
    quantile_complement,
    sqrt,
    sum_of,
    symbol,
    symbols,
)
from proofs_numeric.statements import moves
from proofs_numeric.statements.box import Box, Parameter, points
from proofs_numeric.statements.claim import Claim, QuantityKind, Quoted, Role, SpecialValue, Turn
from proofs_numeric.statements.constants import integer_of, one, parameter_named, zero
from proofs_numeric.statements.derivation import Derivation, Premise, SymbolicIdentity, Trusted, Unchecked, derived
from proofs_numeric.statements.kinds import (
    Achieved,
    Calibration,
    Definition,
    DeltaBound,
    Editorial,
    FiniteStatement,
    Identity,
    Inequality,
    Instance,
    Instances,
    Kind,
    Law,
    Mean,
    Monotonicity,
    Quantity,
    Reading,
    Recurrence,
    Relation,
    sizes,
)
from proofs_numeric.statements.tactics import (
    Barrier,
    Both,
    Boxes,
    ByClaim,
    Cases,
    Derivative,
    Have,
    Hypothesis,
    Increasing,
    Induction,
    Largest,
    LargestTerm,
    Maximum,
    Ordered,
    Part,
    Product,
    Rewrite,
    Root,
    Sign,
    Slope,
    Split,
    Steps,
    Substitute,
    Sum,
    Symbolic,
    Tactic,
    Through,
)
from proofs_numeric.statements.verdict import Expectation

__all__ = [
    "Achieved", "Arithmetic", "Ball", "Barrier", "Both", "Box", "Boxes", "ByClaim", "Calibration", "Cases", "Claim",
    "Definition", "DeltaBound", "Derivation", "Derivative", "Editorial", "Expectation", "Expression", "FiniteStatement",
    "Float64", "Formula", "Have", "Hypothesis", "Identity", "Increasing", "Induction", "Inequality", "Instance",
    "Instances", "Kind", "Largest", "LargestTerm", "Law", "Maximum", "Mean", "Monotonicity", "Number", "Ordered",
    "Paper", "Parameter", "Part", "Phi", "Premise", "Product", "Quantity", "QuantityKind", "Quoted", "Reading",
    "Recurrence", "Relation", "Rewrite", "Role", "Root", "Sign", "Slope", "SpecialValue", "Split", "Steps",
    "Substitute", "Sum", "Symbolic", "SymbolicIdentity", "Tactic", "Through", "Trusted", "Turn", "Unchecked", "Value",
    "algorithm", "at_most", "derived", "eq", "exp", "expm1", "factors", "floor", "integer_of", "largest_of", "lift",
    "log", "log1p", "log_cdf", "maximum", "mills", "minimum", "moves", "one", "parameter_named", "part", "phi", "pi",
    "points", "product_of", "profile", "quantile", "quantile_complement", "replace", "sizes", "sqrt", "sum_of",
    "symbol", "symbols", "zero",
]  # fmt: skip
