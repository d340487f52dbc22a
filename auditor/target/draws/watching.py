"""Watches how a target uses its draws: a rewritten source records conditions and operations that can hide outcomes.

An operation hides outcomes if its operands vary between releases but its result hardly ever does. Examples: a condition
that never went one way, a minimum that never changed, a table with few entries used. The watch records values at every
such place: comparisons of numbers and arrays, emptiness of collections, calls of non-Python functions, table entries,
cases, handlers and ends of loops. Python functions are watched inside, in all files except those of the standard
library, NumPy and SciPy.

A condition orders releases by distance to the other way. If the WAYS nearest releases are together too unlikely, so is
the other way. Exception: a slightly more distant release is much likelier than all nearer ones, as the tilts then
reached only the unlikely part. All other reports are complaints: a place was seen too seldom to know its behaviour.
Most places are settled early: constant in every release, or operations with varying results. Later releases skip them.

While releases are watched, every loaded function of the watched files runs its rewritten source. The target imports
nothing of the watch, and line numbers are unchanged. The module imports nothing of the auditor.
"""

import ast
import functools
import gc
import itertools
import linecache
import math
import operator
import os
import sys
import sysconfig
import types
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

NAME = "__watch__"
"""Name of the watch among the builtins, as the target's code finds it."""
WAYS = 32
"""Number of releases of one neighbour that have to show an outcome."""
LARGEST = sys.float_info.max
"""Largest number that takes part in an order."""
FEW = 8
"""Number of releases with a rare outcome from which its probability is estimated by their weights, if none leaps."""
LEAP = 8.0
"""Factor by which a release outweighs all nearer ones if the tilts missed a way to the rare outcome."""
SINGLES = 8
"""Number of table entries used exactly once from which other entries are likely."""
FIRST = 64
"""Maximum number of members of a collection that are distinguished."""
DEEP = 4
"""Maximum depth of nested collections that are inspected."""
SEVERAL = 8
"""Maximum number of an operation's results kept per release."""
WHOLE = 4
"""Fully watched releases per component of a plan; later releases are watched only at unsettled sites."""
COMMON = 0.1
"""Estimated probability of unusual results from which they are not rare."""
LONGEST = 2000
"""Maximum number of sites of a source that is rewritten without settled sites, at about 0.1 ms per site."""
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - asked at each call
MOST_CHARACTERS = 60
STANDARD, SITES = (
    tuple(os.path.join(sysconfig.get_path(name), "") for name in names)  # noqa: PTH118 - as above
    for names in (("stdlib", "platstdlib"), ("purelib", "platlib"))
)
HIDING = (
    ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor,
    ast.MatMult,
)  # fmt: skip
"""Operations that can hide outcomes; sums cannot."""
IN_PLACE = {
    ast.Mult: "imul", ast.Div: "itruediv", ast.FloorDiv: "ifloordiv", ast.Mod: "imod", ast.Pow: "ipow",
    ast.LShift: "ilshift", ast.RShift: "irshift", ast.BitAnd: "iand", ast.BitOr: "ior", ast.BitXor: "ixor",
    ast.MatMult: "imatmul",
}  # fmt: skip
ORDERS: Mapping[type[ast.cmpop], str] = {
    ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne", ast.In: "in",
    ast.NotIn: "not in",
}  # fmt: skip
OPERATORS = {order: kind for kind, order in ORDERS.items()}
COMPARED: Mapping[str, Callable[[Any, Any], Any]] = {
    **{name: getattr(operator, name) for name in ("lt", "le", "gt", "ge", "eq", "ne")},
    "in": lambda left, right: left in right,
    "not in": lambda left, right: left not in right,
}
MONOTONE = {
    "max", "min", "maximum", "minimum", "fmax", "fmin", "amax", "amin", "clip", "int", "float", "round", "around",
    "rint", "floor", "ceil", "trunc", "fix", "astype", "exp", "expm1", "log", "log1p", "log2", "log10", "sqrt",
}  # fmt: skip
"""Names of monotone functions: their values at numbers in between lie in between."""
BLIND = {
    "len", "isinstance", "issubclass", "type", "id", "callable", "hasattr", "range", "super", "isscalar", "shape",
    "ndim", "size", "zeros_like", "ones_like", "empty_like", "full_like", "isnan", "isinf", "isfinite", "keys",
    "warn", "debug", "info", "warning", "sleep", "dict", "list", "tuple", "sorted", "array", "asarray", "copy",
    "deepcopy", "tolist", "items", "values", "zip", "enumerate",
}  # fmt: skip
"""Names of functions whose values depend only on type and size, do not depend on tails of draws, or are copies."""
TOTAL = frozenset({"isnan", "isinf", "isfinite", "abs", "max", "min", "str", "repr", "bool", "len", "append", "add"})
"""Names of functions that raise no error because of their numeric arguments."""
SIZES = frozenset({"len", "unique"})
"""Names of functions whose values reveal whether members of a set or keys of a dictionary are equal."""
CHOICES, PLACES = frozenset({"choice", "choices", "sample"}), frozenset({"searchsorted", "digitize", "bisect"})
"""Names of functions that return members of a collection, and of functions that locate a number in a table."""
NUMBERS = frozenset({float, int, np.float64, np.int64})
"""Types of operands whose extremes are kept for every operation."""
COLLECTIONS = (dict, list, tuple, set, frozenset, str, bytes)
"""Types whose truth value depends on their size."""
BY_KEY = frozenset({"get", "pop", "setdefault"})
"""Names of dictionary methods that do not depend on the values of the dictionary."""


class Site:
    """A watched expression: its place, text and kind.

    Kinds: condition; case (`size` of them, which depend on the sites `within`); table; operation. `in_try`: its errors
    may be handled. `empty`: the condition tests whether a collection is empty.
    """

    def __init__(self, kind: str, file: str, node: Any, size: int = 0) -> None:
        self.kind, self.file, self.size, self.within = kind, file, size, range(0)
        self.members: Any = ()
        self.line, self.column = node.lineno, node.col_offset
        text = ast.unparse(node).splitlines()[0] if isinstance(node, ast.expr) else type(node).__name__.lower()
        self.text = text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}..."
        self.name, self.inside, self.in_try, self.members_differ = "", False, False, False
        self.empty = False
        if isinstance(node, ast.Call):
            name: str = getattr(node.func, "id", getattr(node.func, "attr", ""))
            self.name = "bisect" if name.startswith("bisect") else name
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
            self.name = "floor"


BARE: Mapping[str, Callable[..., ast.expr]] = {
    **dict.fromkeys(("operand", "called", "came", "truth"), lambda value, *_: value),
    "entry": lambda table, index: ast.Subscript(table, index, ast.Load()),
    "compare": lambda order, left, right: ast.Compare(left, [OPERATORS[order.value]()], [right]),
}
"""The source without the watch, by method of the watch."""


class Eyes(ast.NodeTransformer):
    """Inserts the watch into a source, except at the sites `closed`."""

    def __init__(self, file: str, sites: list[Site], closed: Container[int] = ()) -> None:
        self.file, self.sites, self.closed = file, sites, closed

    def _site(self, kind: str, node: Any, size: int = 0) -> ast.expr:
        self.sites.append(Site(kind, self.file, node, size))
        return ast.Constant(len(self.sites) - 1)

    def _observe(self, method: str, like: Any, site: Any, *args: ast.expr) -> ast.expr:
        if method in BARE and site.value in self.closed:
            return ast.copy_location(BARE[method](*args), like)
        watch = ast.Attribute(ast.Name(NAME, ast.Load()), method, ast.Load())
        return ast.copy_location(ast.Call(watch, [site, *args], []), like)

    def _observe_operand(self, site: ast.expr, node: ast.expr, operand: int = 0) -> ast.expr:
        """Return an operand wrapped in a recording call."""
        if isinstance(node, ast.Starred):
            return ast.copy_location(ast.Starred(self._observe_operand(site, node.value, operand), ast.Load()), node)
        if isinstance(node, ast.Constant):
            return node
        return self._observe("operand", node, site, node, ast.Constant(operand))

    def tested(self, node: ast.expr) -> ast.expr:
        """Return an expression wrapped to record its truth value."""
        if isinstance(node, ast.BoolOp):
            node.values = [self.tested(value) for value in node.values]
            return node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self.tested(node.operand)
            return node
        if isinstance(node, (ast.Compare, ast.Constant)):
            expression: ast.expr = self.visit(node)
            return expression
        site = self._site("condition", node)
        return self._observe("truth", node, site, self.visit(node))

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        node.values = [*map(self.tested, node.values[:-1]), self.visit(node.values[-1])]
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Not):
            return self.tested(node)
        self.generic_visit(node)
        return node

    def _branching(self, node: Any) -> Any:
        node.test = self.tested(node.test)
        test, node.test = node.test, ast.Constant(value=True)
        self.generic_visit(node)
        node.test = test
        return node

    visit_If = visit_While = visit_IfExp = visit_Assert = _branching  # noqa: N815 - as the parser says

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        node.ifs = [self.tested(test) for test in node.ifs]
        node.target, node.iter = self.visit(node.target), self.visit(node.iter)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
            self.generic_visit(node)
            return node
        between = node.comparators[:-1]
        if all(isinstance(each, (ast.Name, ast.Constant)) for each in between):  # it may be evaluated twice
            parts = [node.left, *node.comparators]
            compared = [self._compared(node, op, parts[place], parts[place + 1]) for place, op in enumerate(node.ops)]
            return compared[0] if not between else ast.copy_location(ast.BoolOp(ast.And(), compared), node)
        site = self._site("condition", node)
        self.generic_visit(node)
        node.left = self._observe_operand(site, node.left)
        node.comparators = [self._observe_operand(site, each) for each in node.comparators]
        return self._observe("truth", node, site, node, ast.Constant(value=True))

    def _compared(self, node: ast.Compare, op: ast.cmpop, left: ast.expr, right: ast.expr) -> ast.expr:
        site = self._site("condition", ast.copy_location(ast.Compare(left, [op], [right]), node))
        size = getattr(left, "attr", getattr(getattr(left, "func", None), "id", "")) in ("size", "len")
        self.sites[-1].empty = size and isinstance(right, ast.Constant) and right.value == 0
        order = ast.Constant(ORDERS[type(op)])
        return self._observe("compare", node, site, order, self.visit(left), self.visit(right))

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        if not isinstance(node.op, HIDING):
            self.generic_visit(node)
            return node
        site = self._site("operation", node)
        self.generic_visit(node)
        node.left, node.right = self._observe_operand(site, node.left), self._observe_operand(site, node.right)
        return self._observe("came", node, site, node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        if not isinstance(node.op, HIDING) or not isinstance(node.target, ast.Name):
            return node
        value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        site = self._site("operation", ast.copy_location(ast.Name(node.target.id, ast.Load()), node))
        op = ast.Constant(IN_PLACE[type(node.op)])
        value = self._observe("in_place", node, site, op, value.left, value.right)  # type: ignore[assignment]
        return ast.copy_location(ast.Assign([ast.Name(node.target.id, ast.Store())], value), node)

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        if isinstance(node.value, ast.Call):  # the result is unused, but the call may raise
            self._call(node.value)
        else:
            self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return self._observe("came", node, self._call(node), node)

    def _call(self, node: ast.Call) -> ast.expr:
        site = self._site("operation", node)
        self.generic_visit(node)
        node.func = self._observe("called", node.func, site, node.func)
        node.args = [self._observe_operand(site, each, place) for place, each in enumerate(node.args)]
        for place, keyword in enumerate(node.keywords, len(node.args)):
            keyword.value = self._observe_operand(site, keyword.value, place)
        return site

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            self.generic_visit(node)
            return node
        several = any(isinstance(each, (ast.Slice, ast.Starred)) for each in ast.walk(node.slice))
        site = self._site("operation" if several else "table", node)
        self.generic_visit(node)
        if several:
            node.value = self._observe_operand(site, node.value)
            return self._observe("came", node, site, node)
        return self._observe("entry", node, site, node.value, node.slice)

    def visit_Match(self, node: Any) -> Any:
        site = self._site("case", node, len(node.cases))
        node.subject = self._observe_operand(site, self.visit(node.subject))
        for place, case in enumerate(node.cases):
            case.guard = None if case.guard is None else self.tested(case.guard)
            case.body = [self._reached(site, place, case.body[0]), *self._each(case.body)]
        return node

    def visit_Try(self, node: ast.Try) -> ast.Try:
        start = len(self.sites)
        node.body = self._each(node.body)
        within = range(start, len(self.sites))
        for place in within:
            self.sites[place].in_try = True
        for handler in node.handlers:
            site = self._site("case", handler, 1)
            self.sites[-1].within = within
            handler.body = [self._reached(site, 0, handler.body[0]), *self._each(handler.body)]
        node.orelse, node.finalbody = self._each(node.orelse), self._each(node.finalbody)
        return node

    def visit_With(self, node: ast.With) -> ast.With:
        start = len(self.sites)
        names = {getattr(each, "attr", getattr(each, "id", "")) for item in node.items for each in ast.walk(item)}
        self.generic_visit(node)
        if "suppress" in names:
            end = len(self.sites)
            for place in range(start, end):
                self.sites[place].in_try = True
            self._site("case", node, 1)
            self.sites[-1].within = range(start, end)
        return node

    def visit_For(self, node: ast.For) -> ast.For:
        if not any(isinstance(each, (ast.Break, ast.Return)) for each in ast.walk(node)):
            self.generic_visit(node)
            return node
        site, start = self._site("case", node.iter, 1), len(self.sites)
        self.sites[-1].text = f"the end of {self.sites[-1].text}"
        end = self.sites[-1]
        self.generic_visit(node)
        end.within = range(start, len(self.sites))
        node.orelse = [self._reached(site, 0, node), *node.orelse]
        return node

    def _each(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        return [self.visit(statement) for statement in body]

    def _reached(self, site: ast.expr, place: int, like: ast.stmt) -> ast.stmt:
        return ast.copy_location(ast.Expr(self._observe("reached", like, site, ast.Constant(place))), like)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return node  # the annotation decides nothing

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        node.target = self.visit(node.target)
        node.value = None if node.value is None else self.visit(node.value)
        return node

    def _function(self, node: Any) -> Any:
        node.args, node.body = self.visit(node.args), self._each(node.body)
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function  # noqa: N815 - as above


def functions_of(files: Sequence[str]) -> list[types.FunctionType]:
    """Return the functions of the given files, including functions frozen in the garbage collector.

    Each function refers to the names of its module. Functions of other namespaces are found if the file has no module,
    such as a notebook cell, or is listed twice. They are found by their reference to the builtins, which each function
    has from Python 3.10 on. Only referrers are read: a fork of a large process would have to copy any other object that
    is touched.
    """
    modules = [vars(each) for each in [*sys.modules.values()] if issubclass(type(each), types.ModuleType)]
    namespaces = [names for names in modules if names.get("__file__") in files]
    frozen = gc.get_freeze_count()
    gc.unfreeze()
    if len(files) > len({names["__file__"] for names in namespaces}):
        namespaces = [vars(sys.modules["builtins"])]
    objects = gc.get_objects() if sys.version_info < (3, 10) else gc.get_referrers(*namespaces)
    if frozen:
        gc.freeze()
    return [each for each in objects if type(each) is types.FunctionType and each.__code__.co_filename in files]


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield a code object and the code objects nested in it, in source order."""
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from codes(each)


def foreign(code: types.CodeType) -> bool:
    """Return whether code belongs to a trusted library or was generated by one."""
    file = code.co_filename
    if file.startswith(("<frozen", HERE)) or any(f"{os.sep}{name}{os.sep}" in file for name in ("numpy", "scipy")):
        return True
    made = file.startswith("<") and code.co_name.startswith("__")  # of data classes
    return made or (file.startswith(STANDARD) and not file.startswith(SITES))


@functools.cache
def way_to_print(kind: Any) -> str:
    """Return the name of the method that distinguishes values of a type."""
    if issubclass(kind, (bool, int, str, bytes, type(None))):
        return "hash"
    if issubclass(kind, float):
        return "real"
    if issubclass(kind, np.generic):
        return "item"
    if issubclass(kind, np.ndarray):
        return "array"
    if issubclass(kind, (list, tuple)):
        return "sequence"
    if issubclass(kind, (dict, set, frozenset)):
        return "keys"
    if kind in (type({}.values()), type({}.items()), type({}.keys())):
        return "members"
    if kind in (types.BuiltinMethodType, types.MethodType):
        return "owner"
    if hasattr(kind, "__array__"):
        return "as array"
    if hasattr(kind, "__float__") or hasattr(kind, "__complex__"):
        return "hash" if kind.__hash__ is not None else "none"
    return "none"


HASHED = frozenset({bool, int, str, bytes, type(None)})
"""The types of nearly all values distinguished by their hash; the check runs dozens of times per release."""


class Opaque:
    """Objects created in a release without a comparable value, identified by their inputs."""

    def __init__(self) -> None:
        self.made: dict[int, tuple[Any, int]] = {}

    def print_of(self, value: Any, depth: int = 0) -> int:
        """Return a fingerprint that differs for different values in this process; dictionaries count by keys alone."""
        if type(value) in HASHED:
            return hash(value)
        way = way_to_print(type(value))  # type: ignore[arg-type]  # types can be hashed
        if way == "hash":
            return hash(value)
        if way == "real":
            return 0 if value != value else hash(value)  # noqa: PLR0124 - NaN has no hash of its own
        entry = self.made.get(id(value))
        if entry is not None:
            return entry[1]
        if way == "none" or depth == DEEP:
            return 0
        if way == "array":
            if value.dtype != object:
                return hash((value.tobytes(), value.shape))
            value = value.ravel()
        elif way in ("item", "owner", "as array"):
            inner = value.item() if way == "item" else value.__self__ if way == "owner" else np.asarray(value)
            return self.print_of(inner, depth + 1)
        first = value if len(value) <= FIRST else itertools.islice(value, FIRST)
        prints = [hash(each) if type(each) in HASHED else self.print_of(each, depth + 1) for each in first]
        return hash((len(value), *prints))

    def keep(self, value: Any, of: int) -> None:
        """Record the fingerprint of an object's inputs."""
        self.made[id(value)] = value, of


class Observations:
    """Observations of a site in one release: operands, ways or results, and distances to the other ways."""

    __slots__ = ("edges", "operands", "result", "ways")

    def __init__(self) -> None:
        self.operands, self.result = 0, 0
        self.ways: dict[Any, float] = {}
        self.edges: dict[int, tuple[float, float]] = {}


class Watch:
    """Watches releases of the functions of some files.

    Args:
        files: files whose functions are watched; other entered files are reported. A file listed twice was reported
            although it was watched: its functions are searched among all objects.
    """

    def __init__(self, files: Sequence[str]) -> None:
        self._files, self.sites = frozenset(files), list[Site]()
        self._entered_code: set[types.CodeType] = set()
        self._own_code: set[types.CodeType] = set()
        self._texts: dict[str, str] = {}
        self._codes: dict[tuple[str, frozenset[int]], list[types.CodeType]] = {}
        """Watched code, by file and by sites left out, in source order."""
        self._places: dict[str, range] = {}
        self._swapped: list[tuple[types.FunctionType, types.CodeType, str, int]] = []
        self._releases: list[dict[int, Observations]] = []
        self.weights: Sequence[float] = []
        """Likelihood ratios of the watched releases."""
        self.unsteady: dict[int, None] = {}
        self._now: dict[int, Observations] = {}
        self._may_lead = True
        self._opaque = Opaque()
        self._makers: set[int] = set()
        """Sites whose results are identified by their inputs alone."""
        self._weights: Callable[[], Sequence[float]] = list
        self._whole, self._settled_places, self._open = sys.maxsize, frozenset[int](), True
        self._prepare(functions_of(files) if files else ())

    def _prepare(self, functions: Sequence[types.FunctionType]) -> None:
        eyes_of: dict[types.CodeType, tuple[str, int]] = {}
        for file in self._files:
            start, text = len(self.sites), "".join(linecache.getlines(file))
            try:
                plain = compile(text, file, "exec", dont_inherit=True)
                codes_of_file = self._rewritten(file, text, self.sites)
            except (SyntaxError, ValueError, RecursionError):
                continue
            self._texts[file], self._places[file] = text, range(start, len(self.sites))
            self._codes[file, frozenset()] = codes_of_file
            pairs = enumerate(zip(codes(plain), codes_of_file))  # noqa: B905 - Python 3.9
            eyes_of.update((code, (file, n)) for n, (code, eyes) in pairs if code.co_name == eyes.co_name)
        for each in functions:
            file, n = eyes_of.get(each.__code__, ("", 0))
            if file and self._codes[file, frozenset()][n].co_freevars == each.__code__.co_freevars:
                self._swapped.append((each, each.__code__, file, n))

    def _rewritten(
        self, file: str, text: str, sites: list[Site], closed: frozenset[int] = frozenset()
    ) -> list[types.CodeType]:
        tree = ast.fix_missing_locations(Eyes(file, sites, closed).visit(ast.parse(text)))
        results = [*codes(compile(tree, file, "exec", dont_inherit=True))]
        self._own_code.update(results)
        return results

    def _look(self, closed: frozenset[int]) -> None:
        """Make the functions watch all sites except some; a long source keeps all sites."""
        left: dict[str, frozenset[int]] = {}
        for function, _plain, file, n in self._swapped:
            if file not in left:
                closed_here, places = closed.intersection(self._places[file]), self._places[file]
                left[file] = closed_here = closed_here if len(places) <= LONGEST else frozenset()
                if (file, closed_here) not in self._codes:
                    self._codes[file, closed_here] = self._rewritten(
                        file, self._texts[file], self.sites[: places.start], closed_here
                    )
            function.__code__ = self._codes[file, left[file]][n]

    def __enter__(self) -> None:
        self._look(frozenset() if self._open else self._settled_places)
        vars(sys.modules["builtins"])[NAME] = self

    def __exit__(self, *_: object) -> None:
        for function, plain, _file, _n in self._swapped:
            function.__code__ = plain
        vars(sys.modules["builtins"]).pop(NAME, None)

    def follow(self, components: int, weights: Callable[[], Sequence[float]]) -> None:
        """Forget earlier releases and start a plan, given its component count and a function for current weights."""
        self._releases, self.unsteady, self._weights = [], {}, weights
        self._whole, self._settled_places, self._open = WHOLE * components, frozenset(), True
        self._entered_code.clear()

    def begin(self, again: int | None = None) -> None:
        """Start a release; for a repeated release, given by its number, record every function entered."""
        self._now, self._opaque.made = {}, {}
        if len(self._releases) == self._whole and not self._settled_places:
            self._settled_places = frozenset(self._find_settled_places())
        self._close(len(self._releases) if again is None else again)
        if again is not None:
            sys.settrace(self._enter)

    def _close(self, number: int) -> None:
        """Select the sites to watch in the release of this number."""
        if self._open is not (number < self._whole):
            self._open = not self._open
            self._look(frozenset() if self._open else self._settled_places)

    def _find_settled_places(self) -> Iterator[int]:
        """Yield the sites that were constant in each release, and the operations whose unusual results are not rare.

        Conditions that vary stay open, so that each release reports its branches. So do choices, tables, cases and
        sites in the block of a handler.
        """
        weights = self._weights()
        needed = self._makers.union(*(site.within for site in self.sites if site.kind == "case"))

        def often(numbers: Sequence[int]) -> bool:
            return len(numbers) >= WAYS and sum(weights[number] for number in numbers) >= COMMON * self._whole

        for place, numbers in self._by_site().items():
            site, observations = self.sites[place], {number: self._releases[number][place] for number in numbers}
            if place in needed or site.kind == "case" or site.name in CHOICES or site.name in PLACES:
                continue
            ways = Counter(way for each in observations.values() for way in each.ways)
            if (
                len(observations) == self._whole
                and len({(each.operands, each.result, *each.ways) for each in observations.values()}) == 1
            ):
                yield place
            elif site.kind == "operation" and ways:
                usual = max(ways, key=ways.__getitem__)
                if often([n for n, each in observations.items() if any(way != usual for way in each.ways)]):
                    yield place

    def _by_site(self) -> dict[int, list[int]]:
        """Return the numbers of the releases that reached each site."""
        at: dict[int, list[int]] = {}
        for number, release in enumerate(self._releases):
            for place in release:
                at.setdefault(place, []).append(number)
        return at

    def _enter(self, frame: Any, _event: str, _arg: Any) -> None:
        code, before = frame.f_code, frame.f_back
        if before is None or not (code.co_filename.startswith("<") and foreign(before.f_code)):  # made by a library
            self._entered_code.add(code)

    def end(self, again: int | None = None) -> None:
        """Store a release; for a repeated release, compare it with the stored one."""
        if again is None:
            self._releases.append(self._now)
            return
        sys.settrace(None)
        before = self._releases[again]
        for place in {*before, *self._now}:
            one, other = before.get(place), self._now.get(place)
            if one is None or other is None or (one.operands, one.result) != (other.operands, other.result):
                self.unsteady[place] = None

    # methods called by the watched code

    def _of(self, place: int) -> Observations:
        observations = self._now.get(place)
        if observations is None:
            observations = self._now[place] = Observations()
        return observations

    def _note(self, observations: Observations, value: Any) -> int:
        fingerprint = self._opaque.print_of(value)
        observations.operands = hash((observations.operands, fingerprint))
        return fingerprint

    def operand(self, place: int, value: Any, operand: int) -> Any:
        """Record an operand and return it."""
        site = self.sites[place]
        if site.inside and not site.in_try:
            return value
        observations = self._now.get(place) or self._of(place)
        observations.operands = hash((observations.operands, self._opaque.print_of(value)))
        if site.name in CHOICES or site.name in PLACES:
            if site.name == "choice" and operand == 0 and self._numeric(value):
                site.members = range(value)
            elif isinstance(value, (list, tuple, str, np.ndarray)) and len(site.members) < len(value):
                site.members = value
        if site.name in SIZES and operand == 0:
            site.members_differ = site.name == "unique" or isinstance(value, (set, frozenset, dict))
        number = type(value) in NUMBERS  # an array of one number takes ten times as long
        if number or site.name in MONOTONE:
            low, high = observations.edges.get(operand, (math.inf, -math.inf))
            if number:
                if not -LARGEST <= value <= LARGEST:
                    return value
                observations.edges[operand] = min(low, value), max(high, value)
                return value
            try:
                numbers = np.asarray(value, dtype=float)
            except (TypeError, ValueError):
                return value
            if numbers.size:
                observations.edges[operand] = min(low, float(numbers.min())), max(high, float(numbers.max()))
        return value

    def called(self, place: int, function: Any) -> Any:
        """Record the owner of a method and return the function; Python functions are watched inside."""
        site = self.sites[place]
        site.inside = self._inside(function)
        owner = None if site.inside else getattr(function, "__self__", None)
        if owner is not None and not isinstance(owner, types.ModuleType):
            if site.name in MONOTONE or site.name in PLACES:
                self.operand(place, owner, -1)
            elif not (site.name in BY_KEY and isinstance(owner, dict)):
                self._note(self._of(place), owner)
        return function

    def _inside(self, function: Any) -> bool:
        """Return whether the function itself is watched."""
        if type(function) is types.BuiltinMethodType:
            return False
        if type(function) is types.MethodType:
            function = function.__func__
        if type(function) is types.FunctionType and not function.__dict__:
            return function.__code__.co_filename in self._files
        inner = getattr(function, "func", function)
        inner = getattr(inner, "__wrapped__", inner)
        code = getattr(inner, "__code__", None) or getattr(getattr(inner, "__init__", None), "__code__", None)
        return code is not None and code.co_filename in self._files

    def came(self, place: int, value: Any) -> Any:
        """Record a result and return it."""
        site = self.sites[place]
        if site.inside:
            if site.in_try:  # draws inside it may make it raise
                self._note(self._of(place), value)
            return value
        observations = self._now.get(place) or self._of(place)
        result = self._opaque.print_of(value)
        if site.name == "unique":
            result = len(value[0] if isinstance(value, tuple) else value)
        if result == 0 and way_to_print(type(value)) == "none":  # type: ignore[arg-type]  # as above
            result = observations.operands
            self._opaque.keep(value, result)
            self._makers.add(place)
        observations.result = hash((observations.result, result))
        if len(site.members):
            observations.ways.update((self._opaque.print_of(each), 0.0) for each in np.ravel(value).tolist())
        elif len(observations.ways) < SEVERAL:
            observations.ways.setdefault(result, 0.0)
        return value

    def in_place(self, place: int, name: str, left: Any, right: Any) -> Any:
        """Record and return the result of an in-place operation on a variable."""
        self.operand(place, left, 0)
        self.operand(place, right, 1)
        return self.came(place, getattr(operator, name)(left, right))

    def entry(self, place: int, table: Any, index: Any) -> Any:
        """Record and return an entry of a table."""
        observations = self._of(place)
        if self._numeric(index) or (isinstance(index, tuple) and all(map(self._numeric, index))):
            observations.ways[index] = 0.0
        self._note(observations, table)
        self._note(observations, index)
        value = table[index]
        observations.result = hash((observations.result, self._opaque.print_of(value)))
        return value

    @staticmethod
    def _numeric(index: Any) -> bool:
        return isinstance(index, (int, np.integer)) and not isinstance(index, bool)

    def truth(self, place: int, value: Any, constant: bool = False) -> Any:
        """Record the truth of a tested value and return the value; `constant`: its operands are recorded already."""
        observations = self._of(place)
        if isinstance(value, COLLECTIONS) or type(value) in NUMBERS:
            self.sites[place].empty = isinstance(value, COLLECTIONS)
            size = len(value) if isinstance(value, COLLECTIONS) else abs(value)
            self._note(observations, size)
            self._nearest(observations, bool(value), size)
            return value
        try:
            way = bool(value)
        except Exception:  # noqa: BLE001 - where it is tested it raises
            return value
        if not constant and type(value) is not np.bool_:  # the truth of a comparison result hides nothing
            self._note(observations, value)
        observations.result = hash((observations.result, way))
        observations.ways[way] = 0.0
        return value

    def reached(self, place: int, case: int) -> None:
        """Record a case."""
        self._of(place).ways[case] = 0.0

    def compare(self, place: int, order: str, left: Any, right: Any) -> Any:
        """Record and return a comparison, elementwise for arrays, with the distance of each way to the other."""
        observations = self._of(place)
        value = COMPARED[order](left, right)
        if type(left) in NUMBERS and isinstance(right, COLLECTIONS) and len(right) <= FIRST:
            distances = [abs(left - each) for each in right if type(each) in NUMBERS]
            self._note(observations, left)
            self._nearest(observations, value, min(distances, default=0.0))
            return value
        self._note(observations, left)
        self._note(observations, right)
        if type(value) is bool and type(left) in (int, float) and type(right) in (int, float):
            self._nearest(observations, value, abs(left - right))
            return value
        try:
            truths, distance = np.asarray(value, dtype=bool), np.zeros(1)
            if order in ("lt", "le", "gt", "ge", "eq", "ne"):
                distance = np.abs(np.asarray(left, dtype=float) - np.asarray(right, dtype=float))
        except (TypeError, ValueError):
            distance = np.zeros(1)
            truths = np.asarray([bool(value)]) if np.ndim(value) == 0 else np.zeros(0, dtype=bool)
        if truths.size and truths.shape != distance.shape:
            distance = np.full(truths.shape, distance.item() if distance.size == 1 else 0.0)
        for way in (True, False):
            if (truths == way).any():
                self._nearest(observations, way, float(distance[truths == way].min()))
        observations.result = hash((observations.result, truths.tobytes()))
        return value

    @staticmethod
    def _nearest(observations: Observations, way: bool, distance: float) -> None:
        observations.ways[way] = min(observations.ways.get(way, math.inf), distance)
        observations.result = hash((observations.result, way))

    # evaluation

    def taken(self) -> list[list[tuple[str, int, int, int]]]:
        """Return for each release the ways of its conditions, settled ones included: file, line, column and way."""
        results = []
        of_first = {place: each for place, each in self._releases[0].items() if place in self._settled_places}
        for release in self._releases:
            pairs = [(self.sites[place], observations) for place, observations in (of_first | release).items()]
            results.append(
                [
                    (site.file, site.line, site.column, int(way))
                    for site, observations in pairs
                    if site.kind in ("condition", "case")
                    for way in observations.ways
                ]
            )
        return results

    def unwatched(self) -> list[str]:
        """Return the files of functions that ran without a watch."""
        return sorted({each.co_filename for each in self._entered_code - self._own_code if not foreign(each)})

    def drawn_elsewhere(self) -> list[str]:
        """Return the first place that differed when a release was drawn again."""
        return [self._describe_site(place) for place in [*self.unsteady][:1]]

    def complaints(self, least: float, tilts: Sequence[Sequence[Any]]) -> dict[str, str]:
        """Return the hidden outcomes of each site whose operands vary; "" if all of probability `least` were seen.

        Args:
            least: probability above which an outcome has to be seen.
            tilts: (address, strength) pairs by component of the plan; tilts common to all lead to no outcome.
        """
        tilted = [{(tuple(address), strength) for address, strength in each} for each in tilts if each]
        self._may_lead = not tilted or not set.intersection(*tilted)
        at = self._by_site()
        varied = {place: self._varied(place, at[place]) for place in at}
        results: dict[str, str] = {}
        for place, numbers in at.items():
            site = self.sites[place]
            if varied[place] or site.name in CHOICES or self._hangs(site, varied):
                text = self._describe_site(place)  # of several places, report one that hides outcomes
                results[text] = results.get(text) or self._complaint(place, numbers, least)
        for place, site in enumerate(self.sites):  # handlers and ends of loops that were never reached
            if place not in at and self._hangs(site, varied):
                results[self._describe_site(place)] = "was never reached"
        return results

    def _hangs(self, case: Site, varied: Mapping[int, bool]) -> bool:
        """Return whether a case depends on draws: a handler on operations that may raise, a loop's end on its sites."""
        return any(varied.get(each, False) and self.sites[each].name not in TOTAL for each in case.within)

    def _describe_site(self, place: int) -> str:
        site = self.sites[place]
        return f"{site.file}:{site.line}: {site.text}"

    def _varied(self, place: int, numbers: Sequence[int]) -> bool:
        first = self._releases[numbers[0]][place].operands
        return any(self._releases[number][place].operands != first for number in numbers)

    def _complaint(self, place: int, numbers: Sequence[int], least: float) -> str:
        """Return the outcomes of a place that the given releases leave open; "" for none."""
        if place in self._settled_places:
            return ""
        site, observations = self.sites[place], {number: self._releases[number][place] for number in numbers}
        times = Counter(way for each in observations.values() for way in each.ways)
        if site.kind == "condition":
            return self._one_way(site, observations, times, least)
        if site.kind == "case":
            return self._one_case(site, observations, times, least)
        if site.kind == "table":
            single = sum(number == 1 for number in times.values())
            return f"was read at {len(times)} entries; others are likely to be read" if single >= SINGLES else ""
        return self._one_result(site, observations, times, least)

    def _one_way(self, site: Site, observations: Mapping[int, Observations], times: Counter[Any], least: float) -> str:
        for way, word in ((True, "true"), (False, "false")):
            members = {number for number, each in observations.items() if way in each.ways}
            if times[way] >= WAYS and self._share(members) >= least:
                continue
            near = {
                n: 0.0 if n in members else min(each.ways.values(), default=0.0) for n, each in observations.items()
            }
            leaps = self._leaps(near, members, least)
            ties = site.empty and all(
                near[n] > 0.0 for n in near if n not in members
            )  # its filling is watched elsewhere
            order = {n: (d, self.weights[n]) for n, d in near.items()} if ties else near
            if times[way] < WAYS and self._mass(order) >= least and (leaps or not self._graded(near, members, least)):
                return f"was {word} in {times[way] or 'none'} of the releases of a neighbour"
            if leaps:
                return f"was nearly {word} in a release that is much likelier than all nearer releases"
        return ""

    def _one_case(self, site: Site, observations: Mapping[int, Observations], times: Counter[Any], least: float) -> str:
        for case in range(site.size):
            members = {number for number, each in observations.items() if case in each.ways}
            contexts = [self._at(place) for place in site.within] if site.within else [observations]
            if times[case] < WAYS or any(self._passed(each, members, least) for each in contexts):
                return f"rarely reached its case {case + 1}, or missed some ways through it"
        return ""

    def _at(self, place: int) -> dict[int, Observations]:
        return {number: release[place] for number, release in enumerate(self._releases) if place in release}

    def _one_result(
        self, site: Site, observations: Mapping[int, Observations], times: Counter[Any], least: float
    ) -> str:
        if site.members_differ and times:
            return self._one_size(observations, times, least)
        if not times or site.name in BLIND or site.inside:
            return ""
        if len(site.members):
            places = range(len(site.members) + 1) if site.name in PLACES else np.ravel(site.members).tolist()
            unseen = {self._opaque.print_of(each) for each in places} - {*times}
            return f"never had {len(unseen)} of its possible values" if unseen else ""
        if site.name in CHOICES:
            return ""
        ((usual, _number),) = times.most_common(1)
        others = {number for number, each in observations.items() if any(way != usual for way in each.ways)}
        if len(others) >= WAYS:
            if self._passed(observations, others, least):
                return "was nearly unusual in a release that is much likelier than all nearer releases"
            return ""
        if site.name in MONOTONE and self._out_of_reach([*observations.items()], least):
            return ""
        return f"was unusual in {len(others) or 'none'} of the releases of a neighbour, for all draws"

    def _one_size(self, observations: Mapping[int, Observations], times: Counter[Any], least: float) -> str:
        ((usual, _number),) = times.most_common(1)
        ((operands, _number),) = Counter(each.operands for each in observations.values()).most_common(1)
        others = [number for number, each in observations.items() if any(way != usual for way in each.ways)]
        differ = self._share(number for number, each in observations.items() if each.operands != operands) >= least
        if differ and (len(others) < WAYS or self._share(others) < least):
            return f"was unusual in {len(others) or 'none'} of the releases of a neighbour, or too rarely"
        return ""

    def _passed(self, observations: Mapping[int, Observations], members: AbstractSet[int], least: float) -> bool:
        """Return whether the tilts missed a way to the outcome of `members`, by operands and differences."""
        if self._share(members) >= least:
            return False
        edges = [(number, each.edges) for number, each in observations.items()]
        operands = sorted({operand for _number, each in edges for operand in each})
        for first, second in [*((operand, None) for operand in operands), *itertools.combinations(operands, 2)]:
            ends = {}
            for number, each in edges:
                if first in each and (second is None or second in each):
                    (low, high), (lowest, most) = each[first], (0.0, 0.0) if second is None else each[second]
                    ends[number] = low - most, high - lowest
            inside = [end for number, end in ends.items() if number in members]
            if inside:
                low, high = min(end[0] for end in inside), max(end[1] for end in inside)
                near = {n: 0.0 if n in members else max(low - end[1], end[0] - high, 0.0) for n, end in ends.items()}
                if self._leaps(near, members, least):
                    return True
        return False

    def _out_of_reach(self, observations: Sequence[tuple[int, Observations]], least: float) -> bool:
        """Return whether every value beyond the operands of a monotone operation is less likely than `least`."""
        for operand in {operand for _number, each in observations for operand in each.edges}:
            edges = {number: each.edges[operand] for number, each in observations if operand in each.edges}
            for side, sign in enumerate((1.0, -1.0)):
                ends = {number: sign * edge[side] for number, edge in edges.items()}
                if len({*ends.values()}) > 1 and self._mass(ends) >= least:
                    return False
        return True

    def _graded(self, near: Mapping[int, float], members: AbstractSet[int], least: float) -> bool:
        """Return whether at least FEW releases show an outcome rarer than `least`, with the others in an order."""
        at = [number for number, distance in near.items() if distance == 0.0]  # these, and releases in no order
        return len(members) >= FEW and self._share(at) < least

    def _leaps(self, near: Mapping[int, float], members: AbstractSet[int], least: float) -> bool:
        """Return whether a release outweighs all nearer ones, which together have probability below `least`.

        If tilts lead to a rare outcome, weights grow steadily with the distance from it. A leap shows another, untilted
        way to the outcome, such as several close numbers or a divisible number.

        Args:
            near: distance of each release from the outcome; there is no order if other releases are likely at 0.
            members: releases that show the outcome.
            least: probability.
        """
        numbers, distances = np.array([*near]), np.array([min(each, LARGEST) for each in near.values()], dtype=float)
        weights, others = np.asarray(self.weights)[numbers], np.array([number not in members for number in near])
        enough = least * len(self.weights)
        if not self._may_lead or max(weights[~others].sum(), weights[others & (distances == 0.0)].sum()) >= enough:
            return False
        in_order = weights[np.lexsort((weights, distances, others))]
        total = np.cumsum(in_order)
        return bool(((in_order[1:] > LEAP * total[:-1]) & (total[1:] >= enough)).any())

    def _mass(self, near: Mapping[int, Any]) -> float:
        """Return the probability of the WAYS nearest releases."""
        return self._share(sorted(near, key=near.__getitem__)[:WAYS])

    def _share(self, numbers: Iterable[int]) -> float:
        """Return the probability of some releases, estimated by their weights."""
        return sum(self.weights[number] for number in numbers) / max(1, len(self.weights))
