"""What a target does with what it draws: its source with a watch on each condition and on each operation that can hide.

A release is made of draws by operations. One whose operands differ from release to release, and whose result hardly
ever does, hides what it would give for other draws: a condition that never went one way, a minimum that was never
another, a table of which few entries were asked for. Each is watched by its values, wherever it stands: comparisons of
numbers and of arrays, in a branch or in arithmetic; whether a collection is empty; calls of what is not Python; entries
of tables; cases, handlers and ends of loops.
Functions of Python are watched within, in all files but those of the standard library, NumPy and SciPy.

A condition is decided by order: where its WAYS nearest releases to the other way are too unlikely all together,
the other way is, unless a release a little further off is likelier than all of them by far: then tilts led to what is
unlikely of it alone. What else is told of is a complaint: what was seen too seldom for what happens there to be known.
Most places are soon known: the same in each release, or operations whose results vary. They are watched no further.

The watch is a rewriting of the source, by which each function that is loaded runs while releases are watched: nothing
of it is imported by the target, and the line numbers are its own. Nothing of the auditor is imported here.
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
"""By which a target's code finds the watch, among the builtins."""
WAYS = 32
"""Releases of one neighbour that have to show what follows."""
LARGEST = sys.float_info.max
"""What is beyond it is in no order."""
FEW = 8
"""Releases that show what is seldom, from which on its probability is that of their weights, if nothing leaps."""
LEAP = 8.0
"""Times that a release outweighs all those nearer to what is seldom, from which on tilts passed by a way to it."""
SINGLES = 8
"""Entries of a table asked for once, from which on others are likely."""
FIRST = 64
"""Members of a collection that are told apart."""
DEEP = 4
"""Collections within collections that are looked into."""
SEVERAL = 8
"""Results of an operation in a release that are kept."""
WHOLE = 4
"""Releases for each component of a plan in which all is watched: later ones only at what those leave open."""
COMMON = 0.1
"""Probability of another result than the usual one, as these show it, from which on it is not seldom."""
LONGEST = 2000
"""Sites of a source that is rewritten for them: that takes some 0.1 ms a site."""
HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - asked at each call
SHOWN = 60
STANDARD, SITES = (
    tuple(os.path.join(sysconfig.get_path(name), "") for name in names)  # noqa: PTH118 - as above
    for names in (("stdlib", "platstdlib"), ("purelib", "platlib"))
)
HIDING = (
    ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor,
    ast.MatMult,
)  # fmt: skip
"""Sums hide nothing."""
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
"""By name: what they give for numbers in between lies in between."""
BLIND = {
    "len", "isinstance", "issubclass", "type", "id", "callable", "hasattr", "range", "super", "isscalar", "shape",
    "ndim", "size", "zeros_like", "ones_like", "empty_like", "full_like", "isnan", "isinf", "isfinite", "keys",
    "warn", "debug", "info", "warning", "sleep", "dict", "list", "tuple", "sorted", "array", "asarray", "copy",
    "deepcopy", "tolist", "items", "values", "zip", "enumerate",
}  # fmt: skip
"""By name: what they give hangs on the kind and the size of a value, tells what no tail of a draw is, or is a copy."""
TOTAL = frozenset({"isnan", "isinf", "isfinite", "abs", "max", "min", "str", "repr", "bool", "len", "append", "add"})
"""By name: what raises nothing because of what numbers it is given."""
SIZES = frozenset({"len", "unique"})
"""By name: what tells whether members of a set, or the keys of a dictionary, are equal."""
CHOICES, PLACES = frozenset({"choice", "choices", "sample"}), frozenset({"searchsorted", "digitize", "bisect"})
"""By name: one of the members of a collection, and where a number stands among those of a table."""
NUMBERS = frozenset({float, int, np.float64, np.int64})
"""Types of operands whose extremes are kept of any operation."""
COLLECTIONS = (dict, list, tuple, set, frozenset, str, bytes)
"""Types whose truth is their size."""
BY_KEY = frozenset({"get", "pop", "setdefault"})
"""What no value of a dictionary decides."""


class Site:
    """An expression that is watched: where it stands, its text and its kind.

    Kinds: condition, case (of `size` ones, which hang on the sites `within`), table, operation; one that is `tried` may
    raise what is handled, and a condition asks whether a collection is `empty`.
    """

    def __init__(self, kind: str, file: str, node: Any, size: int = 0) -> None:
        self.kind, self.file, self.size, self.within = kind, file, size, range(0)
        self.members: Any = ()
        self.line, self.column = node.lineno, node.col_offset
        text = ast.unparse(node).splitlines()[0] if isinstance(node, ast.expr) else type(node).__name__.lower()
        self.text = text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
        self.name, self.inside, self.tried, self.members_differ = "", False, False, False
        self.empty = False
        if isinstance(node, ast.Call):
            name: str = getattr(node.func, "id", getattr(node.func, "attr", ""))
            self.name = "bisect" if name.startswith("bisect") else name
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
            self.name = "floor"


BARE: Mapping[str, Callable[..., ast.expr]] = {
    **dict.fromkeys(("given", "called", "came", "truth"), lambda value, *_: value),
    "entry": lambda table, index: ast.Subscript(table, index, ast.Load()),
    "compare": lambda order, left, right: ast.Compare(left, [OPERATORS[order.value]()], [right]),
}
"""What stands in a source in place of a call of the watch."""


class Eyes(ast.NodeTransformer):
    """Puts the watch into a source, but for the sites that are `closed`."""

    def __init__(self, file: str, sites: list[Site], closed: Container[int] = ()) -> None:
        self.file, self.sites, self.closed = file, sites, closed

    def _site(self, kind: str, node: Any, size: int = 0) -> ast.expr:
        self.sites.append(Site(kind, self.file, node, size))
        return ast.Constant(len(self.sites) - 1)

    def _seen(self, method: str, like: Any, site: Any, *args: ast.expr) -> ast.expr:
        if method in BARE and site.value in self.closed:
            return ast.copy_location(BARE[method](*args), like)
        watch = ast.Attribute(ast.Name(NAME, ast.Load()), method, ast.Load())
        return ast.copy_location(ast.Call(watch, [site, *args], []), like)

    def _given(self, site: ast.expr, node: ast.expr, operand: int = 0) -> ast.expr:
        """Return an operand that is noted."""
        if isinstance(node, ast.Starred):
            return ast.copy_location(ast.Starred(self._given(site, node.value, operand), ast.Load()), node)
        if isinstance(node, ast.Constant):
            return node
        return self._seen("given", node, site, node, ast.Constant(operand))

    def tested(self, node: ast.expr) -> ast.expr:
        """Return an expression whose truth decides."""
        if isinstance(node, ast.BoolOp):
            node.values = [self.tested(value) for value in node.values]
            return node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self.tested(node.operand)
            return node
        if isinstance(node, (ast.Compare, ast.Constant)):
            seen: ast.expr = self.visit(node)
            return seen
        site = self._site("condition", node)
        return self._seen("truth", node, site, self.visit(node))

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
        if all(isinstance(each, (ast.Name, ast.Constant)) for each in between):  # to be asked for twice
            parts = [node.left, *node.comparators]
            compared = [self._compared(node, op, parts[place], parts[place + 1]) for place, op in enumerate(node.ops)]
            return compared[0] if not between else ast.copy_location(ast.BoolOp(ast.And(), compared), node)
        site = self._site("condition", node)
        self.generic_visit(node)
        node.left = self._given(site, node.left)
        node.comparators = [self._given(site, each) for each in node.comparators]
        return self._seen("truth", node, site, node, ast.Constant(value=True))

    def _compared(self, node: ast.Compare, op: ast.cmpop, left: ast.expr, right: ast.expr) -> ast.expr:
        site = self._site("condition", ast.copy_location(ast.Compare(left, [op], [right]), node))
        size = getattr(left, "attr", getattr(getattr(left, "func", None), "id", "")) in ("size", "len")
        self.sites[-1].empty = size and isinstance(right, ast.Constant) and right.value == 0
        order = ast.Constant(ORDERS[type(op)])
        return self._seen("compare", node, site, order, self.visit(left), self.visit(right))

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        if not isinstance(node.op, HIDING):
            self.generic_visit(node)
            return node
        site = self._site("operation", node)
        self.generic_visit(node)
        node.left, node.right = self._given(site, node.left), self._given(site, node.right)
        return self._seen("came", node, site, node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        if not isinstance(node.op, HIDING) or not isinstance(node.target, ast.Name):
            return node
        value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        site = self._site("operation", ast.copy_location(ast.Name(node.target.id, ast.Load()), node))
        op = ast.Constant(IN_PLACE[type(node.op)])
        value = self._seen("in_place", node, site, op, value.left, value.right)  # type: ignore[assignment]
        return ast.copy_location(ast.Assign([ast.Name(node.target.id, ast.Store())], value), node)

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        if isinstance(node.value, ast.Call):  # what it gives is not used, but it may raise
            self._call(node.value)
        else:
            self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return self._seen("came", node, self._call(node), node)

    def _call(self, node: ast.Call) -> ast.expr:
        site = self._site("operation", node)
        self.generic_visit(node)
        node.func = self._seen("called", node.func, site, node.func)
        node.args = [self._given(site, each, place) for place, each in enumerate(node.args)]
        for place, keyword in enumerate(node.keywords, len(node.args)):
            keyword.value = self._given(site, keyword.value, place)
        return site

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            self.generic_visit(node)
            return node
        several = any(isinstance(each, (ast.Slice, ast.Starred)) for each in ast.walk(node.slice))
        site = self._site("operation" if several else "table", node)
        self.generic_visit(node)
        if several:
            node.value = self._given(site, node.value)
            return self._seen("came", node, site, node)
        return self._seen("entry", node, site, node.value, node.slice)

    def visit_Match(self, node: Any) -> Any:
        site = self._site("case", node, len(node.cases))
        node.subject = self._given(site, self.visit(node.subject))
        for place, case in enumerate(node.cases):
            case.guard = None if case.guard is None else self.tested(case.guard)
            case.body = [self._reached(site, place, case.body[0]), *self._each(case.body)]
        return node

    def visit_Try(self, node: ast.Try) -> ast.Try:
        start = len(self.sites)
        node.body = self._each(node.body)
        within = range(start, len(self.sites))
        for place in within:
            self.sites[place].tried = True
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
                self.sites[place].tried = True
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
        return ast.copy_location(ast.Expr(self._seen("reached", like, site, ast.Constant(place))), like)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return node  # its annotation decides nothing

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        node.target = self.visit(node.target)
        node.value = None if node.value is None else self.visit(node.value)
        return node

    def _function(self, node: Any) -> Any:
        node.args, node.body = self.visit(node.args), self._each(node.body)
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function  # noqa: N815 - as above


def functions_of(files: Sequence[str]) -> list[types.FunctionType]:
    """Return the functions of some files, those too that the collector was told to leave alone.

    Each refers to the names of its module. Those of another namespace are found where the file is of no module, as a
    cell of a notebook, or where it is named twice: by the names that are built in, to which from Python 3.10 on each
    function refers. Who does is found without touching anything else, which a fork of a large process would have to
    copy.
    """
    modules = [vars(each) for each in [*sys.modules.values()] if issubclass(type(each), types.ModuleType)]
    own = [names for names in modules if names.get("__file__") in files]
    frozen = gc.get_freeze_count()
    gc.unfreeze()
    if len(files) > len({names["__file__"] for names in own}):
        own = [vars(sys.modules["builtins"])]
    found = gc.get_objects() if sys.version_info < (3, 10) else gc.get_referrers(*own)
    if frozen:
        gc.freeze()
    return [each for each in found if type(each) is types.FunctionType and each.__code__.co_filename in files]


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield a code and those within it, in the order of the source."""
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from codes(each)


def foreign(code: types.CodeType) -> bool:
    """Return whether a code is of a library whose functions are taken for what they say, or made by one."""
    file = code.co_filename
    if file.startswith(("<frozen", HERE)) or any(f"{os.sep}{name}{os.sep}" in file for name in ("numpy", "scipy")):
        return True
    made = file.startswith("<") and code.co_name.startswith("__")  # of data classes
    return made or (file.startswith(STANDARD) and not file.startswith(SITES))


@functools.cache
def way_to_print(kind: Any) -> str:
    """Return how values of a type are told apart."""
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
"""The types of nearly all values that are told apart by their hash: they are asked for some dozens of times a release.
"""


class Opaque:
    """Objects made in a release that have no value to look at, by what they were made of."""

    def __init__(self) -> None:
        self.made: dict[int, tuple[Any, int]] = {}

    def print_of(self, value: Any, depth: int = 0) -> int:
        """Return a number that differs where the value does, in this process; of a dictionary by its keys alone."""
        if type(value) in HASHED:
            return hash(value)
        way = way_to_print(type(value))  # type: ignore[arg-type]  # types can be hashed
        if way == "hash":
            return hash(value)
        if way == "real":
            return 0 if value != value else hash(value)  # noqa: PLR0124 - NaN has no hash of its own
        known = self.made.get(id(value))
        if known is not None:
            return known[1]
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
        own = [hash(each) if type(each) in HASHED else self.print_of(each, depth + 1) for each in first]
        return hash((len(value), *own))

    def keep(self, value: Any, of: int) -> None:
        """Note what an object was made of."""
        self.made[id(value)] = value, of


class Seen:
    """What one release showed of a site: its operands, its ways or results, and how near it was to others."""

    __slots__ = ("edges", "given", "result", "ways")

    def __init__(self) -> None:
        self.given, self.result = 0, 0
        self.ways: dict[Any, float] = {}
        self.edges: dict[int, tuple[float, float]] = {}


class Watch:
    """Watches releases of the functions of some files.

    Args:
        files: whose functions are watched; other files that are entered are told. One that is named twice was told
            all the same, and is looked for in all that there is.
    """

    def __init__(self, files: Sequence[str]) -> None:
        self._files, self.sites = frozenset(files), list[Site]()
        self._entered: set[types.CodeType] = set()
        self._own: set[types.CodeType] = set()
        self._texts: dict[str, str] = {}
        self._codes: dict[tuple[str, frozenset[int]], list[types.CodeType]] = {}
        """With eyes but for some sites, by file, in the order of the source."""
        self._places: dict[str, range] = {}
        self._swapped: list[tuple[types.FunctionType, types.CodeType, str, int]] = []
        self._releases: list[dict[int, Seen]] = []
        self.weights: Sequence[float] = []
        """Of the releases that were seen."""
        self.unsteady: dict[int, None] = {}
        self._now: dict[int, Seen] = {}
        self._led = True
        self._opaque = Opaque()
        self._makers: set[int] = set()
        """Sites whose results are known by what they were made of alone."""
        self._weights: Callable[[], Sequence[float]] = list
        self._whole, self._known, self._open = sys.maxsize, frozenset[int](), True
        self._prepare(functions_of(files) if files else ())

    def _prepare(self, functions: Sequence[types.FunctionType]) -> None:
        watched: dict[types.CodeType, tuple[str, int]] = {}
        for file in self._files:
            start, text = len(self.sites), "".join(linecache.getlines(file))
            try:
                plain = compile(text, file, "exec", dont_inherit=True)
                own = self._rewritten(file, text, self.sites)
            except (SyntaxError, ValueError, RecursionError):
                continue
            self._texts[file], self._places[file] = text, range(start, len(self.sites))
            self._codes[file, frozenset()] = own
            pairs = enumerate(zip(codes(plain), own))  # noqa: B905 - Python 3.9
            watched.update((code, (file, n)) for n, (code, eyes) in pairs if code.co_name == eyes.co_name)
        for each in functions:
            file, n = watched.get(each.__code__, ("", 0))
            if file and self._codes[file, frozenset()][n].co_freevars == each.__code__.co_freevars:
                self._swapped.append((each, each.__code__, file, n))

    def _rewritten(
        self, file: str, text: str, sites: list[Site], closed: frozenset[int] = frozenset()
    ) -> list[types.CodeType]:
        tree = ast.fix_missing_locations(Eyes(file, sites, closed).visit(ast.parse(text)))
        found = [*codes(compile(tree, file, "exec", dont_inherit=True))]
        self._own.update(found)
        return found

    def _look(self, closed: frozenset[int]) -> None:
        """Have the functions watch all but some sites; of a long source these too."""
        left: dict[str, frozenset[int]] = {}
        for function, _plain, file, n in self._swapped:
            if file not in left:
                own, places = closed.intersection(self._places[file]), self._places[file]
                left[file] = own = own if len(places) <= LONGEST else frozenset()
                if (file, own) not in self._codes:
                    self._codes[file, own] = self._rewritten(file, self._texts[file], self.sites[: places.start], own)
            function.__code__ = self._codes[file, left[file]][n]

    def __enter__(self) -> None:
        self._look(frozenset() if self._open else self._known)
        vars(sys.modules["builtins"])[NAME] = self

    def __exit__(self, *_: object) -> None:
        for function, plain, _file, _n in self._swapped:
            function.__code__ = plain
        vars(sys.modules["builtins"]).pop(NAME, None)

    def follow(self, components: int, weights: Callable[[], Sequence[float]]) -> None:
        """Forget the releases that were seen, before those of a plan: its components, and weights of those so far."""
        self._releases, self.unsteady, self._weights = [], {}, weights
        self._whole, self._known, self._open = WHOLE * components, frozenset(), True
        self._entered.clear()

    def begin(self, again: int | None = None) -> None:
        """Start a release; of one that is drawn again, by its number, every function is noted that is entered."""
        self._now, self._opaque.made = {}, {}
        if len(self._releases) == self._whole and not self._known:
            self._known = frozenset(self._settled())
        self._close(len(self._releases) if again is None else again)
        if again is not None:
            sys.settrace(self._enter)

    def _close(self, number: int) -> None:
        """Watch what the release of this number is watched at."""
        if self._open is not (number < self._whole):
            self._open = not self._open
            self._look(frozenset() if self._open else self._known)

    def _settled(self) -> Iterator[int]:
        """Yield the sites that were the same in each release, and operations whose other results are not seldom.

        Conditions that vary are left open, so that each release tells its branches; so are choices, tables, cases and
        what stands in the block of a handler.
        """
        weights = self._weights()
        kept = self._makers.union(*(site.within for site in self.sites if site.kind == "case"))

        def often(numbers: Sequence[int]) -> bool:
            return len(numbers) >= WAYS and sum(weights[number] for number in numbers) >= COMMON * self._whole

        for place, numbers in self._by_site().items():
            site, seen = self.sites[place], {number: self._releases[number][place] for number in numbers}
            if place in kept or site.kind == "case" or site.name in CHOICES or site.name in PLACES:
                continue
            ways = Counter(way for each in seen.values() for way in each.ways)
            if len(seen) == self._whole and len({(each.given, each.result, *each.ways) for each in seen.values()}) == 1:
                yield place
            elif site.kind == "operation" and ways:
                usual = max(ways, key=ways.__getitem__)
                if often([n for n, each in seen.items() if any(way != usual for way in each.ways)]):
                    yield place

    def _by_site(self) -> dict[int, list[int]]:
        """Return the releases that came to each site, by their numbers."""
        at: dict[int, list[int]] = {}
        for number, release in enumerate(self._releases):
            for place in release:
                at.setdefault(place, []).append(number)
        return at

    def _enter(self, frame: Any, _event: str, _arg: Any) -> None:
        code, before = frame.f_code, frame.f_back
        if before is None or not (code.co_filename.startswith("<") and foreign(before.f_code)):  # made by a library
            self._entered.add(code)

    def end(self, again: int | None = None) -> None:
        """Keep a release; of one that is drawn again look whether it is the same."""
        if again is None:
            self._releases.append(self._now)
            return
        sys.settrace(None)
        before = self._releases[again]
        for place in {*before, *self._now}:
            one, other = before.get(place), self._now.get(place)
            if one is None or other is None or (one.given, one.result) != (other.given, other.result):
                self.unsteady[place] = None

    # what the code with eyes calls

    def _of(self, place: int) -> Seen:
        seen = self._now.get(place)
        if seen is None:
            seen = self._now[place] = Seen()
        return seen

    def _note(self, seen: Seen, value: Any) -> int:
        own = self._opaque.print_of(value)
        seen.given = hash((seen.given, own))
        return own

    def given(self, place: int, value: Any, operand: int) -> Any:
        """Return an operand."""
        site = self.sites[place]
        if site.inside and not site.tried:
            return value
        seen = self._now.get(place) or self._of(place)
        seen.given = hash((seen.given, self._opaque.print_of(value)))
        if site.name in CHOICES or site.name in PLACES:
            if site.name == "choice" and operand == 0 and self._numeric(value):
                site.members = range(value)
            elif isinstance(value, (list, tuple, str, np.ndarray)) and len(site.members) < len(value):
                site.members = value
        if site.name in SIZES and operand == 0:
            site.members_differ = site.name == "unique" or isinstance(value, (set, frozenset, dict))
        number = type(value) in NUMBERS  # an array of one takes ten times as long
        if number or site.name in MONOTONE:
            low, high = seen.edges.get(operand, (math.inf, -math.inf))
            if number:
                if not -LARGEST <= value <= LARGEST:
                    return value
                seen.edges[operand] = min(low, value), max(high, value)
                return value
            try:
                numbers = np.asarray(value, dtype=float)
            except (TypeError, ValueError):
                return value
            if numbers.size:
                seen.edges[operand] = min(low, float(numbers.min())), max(high, float(numbers.max()))
        return value

    def called(self, place: int, function: Any) -> Any:
        """Return what is called; a method is given its owner, and functions of Python are watched within."""
        site = self.sites[place]
        site.inside = self._inside(function)
        owner = None if site.inside else getattr(function, "__self__", None)
        if owner is not None and not isinstance(owner, types.ModuleType):
            if site.name in MONOTONE or site.name in PLACES:
                self.given(place, owner, -1)
            elif not (site.name in BY_KEY and isinstance(owner, dict)):
                self._note(self._of(place), owner)
        return function

    def _inside(self, function: Any) -> bool:
        """Return whether what is called is watched itself."""
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
        """Return a result."""
        site = self.sites[place]
        if site.inside:
            if site.tried:  # what is drawn within it may raise
                self._note(self._of(place), value)
            return value
        seen = self._now.get(place) or self._of(place)
        own = self._opaque.print_of(value)
        if site.name == "unique":
            own = len(value[0] if isinstance(value, tuple) else value)
        if own == 0 and way_to_print(type(value)) == "none":  # type: ignore[arg-type]  # as above
            own = seen.given
            self._opaque.keep(value, own)
            self._makers.add(place)
        seen.result = hash((seen.result, own))
        if len(site.members):
            seen.ways.update((self._opaque.print_of(each), 0.0) for each in np.ravel(value).tolist())
        elif len(seen.ways) < SEVERAL:
            seen.ways.setdefault(own, 0.0)
        return value

    def in_place(self, place: int, name: str, left: Any, right: Any) -> Any:
        """Return what an operation makes of a variable."""
        self.given(place, left, 0)
        self.given(place, right, 1)
        return self.came(place, getattr(operator, name)(left, right))

    def entry(self, place: int, table: Any, index: Any) -> Any:
        """Return an entry of a table."""
        seen = self._of(place)
        if self._numeric(index) or (isinstance(index, tuple) and all(map(self._numeric, index))):
            seen.ways[index] = 0.0
        self._note(seen, table)
        self._note(seen, index)
        value = table[index]
        seen.result = hash((seen.result, self._opaque.print_of(value)))
        return value

    @staticmethod
    def _numeric(index: Any) -> bool:
        return isinstance(index, (int, np.integer)) and not isinstance(index, bool)

    def truth(self, place: int, value: Any, known: bool = False) -> Any:
        """Return a value that is tested, of operands that are `known`; what fills a collection is seen elsewhere."""
        seen = self._of(place)
        if isinstance(value, COLLECTIONS) or type(value) in NUMBERS:
            self.sites[place].empty = isinstance(value, COLLECTIONS)
            size = len(value) if isinstance(value, COLLECTIONS) else abs(value)
            self._note(seen, size)
            self._nearest(seen, bool(value), size)
            return value
        try:
            way = bool(value)
        except Exception:  # noqa: BLE001 - where it is tested it raises
            return value
        if not known and type(value) is not np.bool_:  # of what gave that the truth hides nothing
            self._note(seen, value)
        seen.result = hash((seen.result, way))
        seen.ways[way] = 0.0
        return value

    def reached(self, place: int, case: int) -> None:
        """Note a case."""
        self._of(place).ways[case] = 0.0

    def compare(self, place: int, order: str, left: Any, right: Any) -> Any:
        """Return a comparison, elementwise of arrays, and note how near each way was to the other."""
        seen = self._of(place)
        value = COMPARED[order](left, right)
        if type(left) in NUMBERS and isinstance(right, COLLECTIONS) and len(right) <= FIRST:
            own = [abs(left - each) for each in right if type(each) in NUMBERS]
            self._note(seen, left)
            self._nearest(seen, value, min(own, default=0.0))
            return value
        self._note(seen, left)
        self._note(seen, right)
        if type(value) is bool and type(left) in (int, float) and type(right) in (int, float):
            self._nearest(seen, value, abs(left - right))
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
                self._nearest(seen, way, float(distance[truths == way].min()))
        seen.result = hash((seen.result, truths.tobytes()))
        return value

    @staticmethod
    def _nearest(seen: Seen, way: bool, distance: float) -> None:
        seen.ways[way] = min(seen.ways.get(way, math.inf), distance)
        seen.result = hash((seen.result, way))

    # what was seen

    def taken(self) -> list[list[tuple[str, int, int, int]]]:
        """Return of each release which way its conditions went, or always go: file, line, column and way."""
        found = []
        known = {place: seen for place, seen in self._releases[0].items() if place in self._known}
        for release in self._releases:
            own = [(self.sites[place], seen) for place, seen in (known | release).items()]
            found.append(
                [
                    (site.file, site.line, site.column, int(way))
                    for site, seen in own
                    if site.kind in ("condition", "case")
                    for way in seen.ways
                ]
            )
        return found

    def unwatched(self) -> list[str]:
        """Return the files of functions that were entered without a watch."""
        return sorted({each.co_filename for each in self._entered - self._own if not foreign(each)})

    def drawn_elsewhere(self) -> list[str]:
        """Return what is not the same where a release is drawn again: the first place."""
        return [self._told(place) for place in [*self.unsteady][:1]]

    def complaints(self, least: float, tilts: Sequence[Sequence[Any]]) -> dict[str, str]:
        """Return of each site whose operands differ what it hides; "" where all of probability `least` was seen.

        Args:
            least: probability.
            tilts: of the components of the plan, (address, strength) each; what all have in common nothing leads up to.
        """
        tilted = [{(tuple(address), strength) for address, strength in each} for each in tilts if each]
        self._led = not tilted or not set.intersection(*tilted)
        at = self._by_site()
        varied = {place: self._varied(place, at[place]) for place in at}
        found: dict[str, str] = {}
        for place, numbers in at.items():
            site = self.sites[place]
            if varied[place] or site.name in CHOICES or self._hangs(site, varied):
                told = self._told(place)  # of several places, where one is hidden
                found[told] = found.get(told) or self._complaint(place, numbers, least)
        for place, site in enumerate(self.sites):  # handlers and ends of loops that were never reached
            if place not in at and self._hangs(site, varied):
                found[self._told(place)] = "was never reached"
        return found

    def _hangs(self, case: Site, varied: Mapping[int, bool]) -> bool:
        """Return whether a case hangs on what was drawn: a handler on what may raise, the end of a loop on the rest."""
        return any(varied.get(each, False) and self.sites[each].name not in TOTAL for each in case.within)

    def _told(self, place: int) -> str:
        site = self.sites[place]
        return f"{site.file}:{site.line}: {site.text}"

    def _varied(self, place: int, numbers: Sequence[int]) -> bool:
        first = self._releases[numbers[0]][place].given
        return any(self._releases[number][place].given != first for number in numbers)

    def _complaint(self, place: int, numbers: Sequence[int], least: float) -> str:
        """Return what the releases of these numbers do not show of a place, "" for nothing."""
        if place in self._known:
            return ""
        site, seen = self.sites[place], {number: self._releases[number][place] for number in numbers}
        times = Counter(way for each in seen.values() for way in each.ways)
        if site.kind == "condition":
            return self._one_way(site, seen, times, least)
        if site.kind == "case":
            return self._one_case(site, seen, times, least)
        if site.kind == "table":
            single = sum(number == 1 for number in times.values())
            return f"was asked for {len(times)} entries, of which others are likely" if single >= SINGLES else ""
        return self._one_result(site, seen, times, least)

    def _one_way(self, site: Site, seen: Mapping[int, Seen], times: Counter[Any], least: float) -> str:
        for way, word in ((True, "true"), (False, "false")):
            own = {number for number, each in seen.items() if way in each.ways}
            if times[way] >= WAYS and self._share(own) >= least:
                continue
            near = {n: 0.0 if n in own else min(each.ways.values(), default=0.0) for n, each in seen.items()}
            leaps = self._leaps(near, own, least)
            ties = site.empty and all(near[n] > 0.0 for n in near if n not in own)  # what fills it is seen elsewhere
            order = {n: (d, self.weights[n]) for n, d in near.items()} if ties else near
            if times[way] < WAYS and self._mass(order) >= least and (leaps or not self._graded(near, own, least)):
                return f"was {word} in {times[way] or 'none'} of the releases of a neighbour"
            if leaps:
                return f"was nearly {word} in a release that is likelier than all nearer ones by far"
        return ""

    def _one_case(self, site: Site, seen: Mapping[int, Seen], times: Counter[Any], least: float) -> str:
        for case in range(site.size):
            own = {number for number, each in seen.items() if case in each.ways}
            given = [self._at(place) for place in site.within] if site.within else [seen]
            if times[case] < WAYS or any(self._passed(each, own, least) for each in given):
                return f"hardly ever came to its case {case + 1}, or not in all ways that it may"
        return ""

    def _at(self, place: int) -> dict[int, Seen]:
        return {number: release[place] for number, release in enumerate(self._releases) if place in release}

    def _one_result(self, site: Site, seen: Mapping[int, Seen], times: Counter[Any], least: float) -> str:
        if site.members_differ and times:
            return self._one_size(seen, times, least)
        if not times or site.name in BLIND or site.inside:
            return ""
        if len(site.members):
            places = range(len(site.members) + 1) if site.name in PLACES else np.ravel(site.members).tolist()
            unseen = {self._opaque.print_of(each) for each in places} - {*times}
            return f"was never {len(unseen)} of what it may be" if unseen else ""
        if site.name in CHOICES:
            return ""
        ((usual, _number),) = times.most_common(1)
        others = {number for number, each in seen.items() if any(way != usual for way in each.ways)}
        if len(others) >= WAYS:
            if self._passed(seen, others, least):
                return "was nearly another than usual in a release that is likelier than all nearer ones by far"
            return ""
        if site.name in MONOTONE and self._out_of_reach([*seen.items()], least):
            return ""
        return f"was another than usual in {len(others) or 'none'} of the releases of a neighbour, whatever was drawn"

    def _one_size(self, seen: Mapping[int, Seen], times: Counter[Any], least: float) -> str:
        ((usual, _number),) = times.most_common(1)
        ((given, _number),) = Counter(each.given for each in seen.values()).most_common(1)
        others = [number for number, each in seen.items() if any(way != usual for way in each.ways)]
        differ = self._share(number for number, each in seen.items() if each.given != given) >= least
        if differ and (len(others) < WAYS or self._share(others) < least):
            return f"was another than usual in {len(others) or 'none'} of the releases of a neighbour, or too seldom"
        return ""

    def _passed(self, seen: Mapping[int, Seen], own: AbstractSet[int], least: float) -> bool:
        """Return whether tilts passed by a way to what some releases show: by each number given, and by differences."""
        if self._share(own) >= least:
            return False
        edges = [(number, each.edges) for number, each in seen.items()]
        operands = sorted({operand for _number, each in edges for operand in each})
        for first, second in [*((operand, None) for operand in operands), *itertools.combinations(operands, 2)]:
            ends = {}
            for number, each in edges:
                if first in each and (second is None or second in each):
                    (low, high), (lowest, most) = each[first], (0.0, 0.0) if second is None else each[second]
                    ends[number] = low - most, high - lowest
            shown = [end for number, end in ends.items() if number in own]
            if shown:
                low, high = min(end[0] for end in shown), max(end[1] for end in shown)
                near = {n: 0.0 if n in own else max(low - end[1], end[0] - high, 0.0) for n, end in ends.items()}
                if self._leaps(near, own, least):
                    return True
        return False

    def _out_of_reach(self, seen: Sequence[tuple[int, Seen]], least: float) -> bool:
        """Return whether all that lies beyond what a monotone operation was given is less likely."""
        for operand in {operand for _number, each in seen for operand in each.edges}:
            edges = {number: each.edges[operand] for number, each in seen if operand in each.edges}
            for side, sign in enumerate((1.0, -1.0)):
                ends = {number: sign * edge[side] for number, edge in edges.items()}
                if len({*ends.values()}) > 1 and self._mass(ends) >= least:
                    return False
        return True

    def _graded(self, near: Mapping[int, float], own: AbstractSet[int], least: float) -> bool:
        """Return whether FEW releases or more show what is seldom, less than `least`, and others are in an order."""
        at = [number for number, distance in near.items() if distance == 0.0]  # they, and others that are in no order
        return len(own) >= FEW and self._share(at) < least

    def _leaps(self, near: Mapping[int, float], own: AbstractSet[int], least: float) -> bool:
        """Return whether a release outweighs all that are nearer, where those make up less than `least`.

        Where tilts lead to what is unlikely, weights grow steadily with the distance from it. A leap says that it comes
        about in another way too, by which nothing was tilted: several numbers that are close, one that is divisible.

        Args:
            near: distances of releases from it; where others than `own` are likely at 0, that is no order.
            own: releases that show it.
            least: probability.
        """
        numbers, distances = np.array([*near]), np.array([min(each, LARGEST) for each in near.values()], dtype=float)
        weights, others = np.asarray(self.weights)[numbers], np.array([number not in own for number in near])
        enough = least * len(self.weights)
        if not self._led or max(weights[~others].sum(), weights[others & (distances == 0.0)].sum()) >= enough:
            return False
        in_order = weights[np.lexsort((weights, distances, others))]
        total = np.cumsum(in_order)
        return bool(((in_order[1:] > LEAP * total[:-1]) & (total[1:] >= enough)).any())

    def _mass(self, near: Mapping[int, Any]) -> float:
        """Return the probability of the WAYS releases that are nearest."""
        return self._share(sorted(near, key=near.__getitem__)[:WAYS])

    def _share(self, numbers: Iterable[int]) -> float:
        """Return the probability of some releases."""
        return sum(self.weights[number] for number in numbers) / max(1, len(self.weights))
