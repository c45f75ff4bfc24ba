"""The small mistakes that a program is given: each one change to one expression.

A place in a module's tree that can be changed is a ``Site``. Sites come in the order of the tree, so that a
mutant is named by its file and a number, and is made again anywhere from the same source.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

COMPARED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
SWAPPED = {"min": "max", "max": "min"}
CONDITIONS = ("guards", "checks", "phases")
"""Arguments whose elements are conditions: each may be left out."""
UNTOUCHED = ("annotation", "returns", "decorator_list", "bases", "type_comment")
"""Parts of a tree that decide nothing at a table."""
Members = Mapping[str, tuple[str, ...]]
"""The members of each enumeration, by its name."""
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True)
class Site:
    """A place in a tree and one mistake to make there."""

    operator: str
    node: ast.AST
    within: tuple[Function, ...]
    """The functions around it, the innermost last."""
    around: tuple[ast.AST, ...]
    """The calls around it, the innermost last: a step of the program is one."""
    before: str
    after: str
    apply: Callable[[], None]


def members_of(tree: ast.AST) -> dict[str, tuple[str, ...]]:
    """Return the enumerations that a module writes out, with their members."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any("Enum" in ast.unparse(base) for base in node.bases):
            targets = [one.targets[0] for one in node.body if isinstance(one, ast.Assign)]
            names = tuple(target.id for target in targets if isinstance(target, ast.Name))
            if len(names) > 1:
                found[node.name] = names
    return found


def sites(tree: ast.AST, members: Members) -> Iterator[Site]:
    """Yield every mistake that can be made in a module, in the order of its tree."""
    yield from _below(tree, (), (), members)


def _below(
    node: ast.AST, within: tuple[Function, ...], around: tuple[ast.AST, ...], members: Members
) -> Iterator[Site]:
    if isinstance(node, Function):
        within = (*within, node)
    if isinstance(node, ast.Call):
        around = (*around, node)
    for name, value in ast.iter_fields(node):
        if name in UNTOUCHED:
            continue
        for place, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or _is_docstring(node, child):
                continue

            def put(new: ast.AST, name: str = name, place: int | None = place) -> None:
                if place is None:
                    setattr(node, name, new)
                else:
                    getattr(node, name)[place] = new

            for operator, new in _changes(child, within, members):

                def apply(
                    old: ast.AST = child, new: ast.AST = new, put: Callable[[ast.AST], None] = put
                ) -> None:
                    put(ast.fix_missing_locations(ast.copy_location(new, old)))

                yield Site(operator, child, within, around, ast.unparse(child), ast.unparse(new), apply)
            yield from _below(child, within, around, members)
    yield from _left_out(node, within, around)


def _is_docstring(parent: ast.AST, child: ast.AST) -> bool:
    return isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)


def _changes(node: ast.AST, within: tuple[Function, ...], members: Members) -> Iterator[tuple[str, ast.AST]]:
    """Yield what might stand in the place of a node."""
    match node:
        case ast.Compare(left, compared, operands):
            for place, one in enumerate(compared):
                other = [*compared[:place], COMPARED[type(one)](), *compared[place + 1 :]]
                yield "comparison", ast.Compare(left, other, operands)
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            yield "one more", ast.Constant(number + 1)
            yield "one less", ast.Constant(number - 1)
        case ast.BoolOp(operator, operands):
            yield "and, or", ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), operands)
        case ast.UnaryOp(ast.Not(), operand):
            yield "no not", operand
        case ast.Return(ast.AST() as value) if _answers(within) and not isinstance(value, ast.Constant):
            yield "always", ast.Return(ast.Constant(value=True))
            yield "never", ast.Return(ast.Constant(value=False))
        case ast.Attribute(ast.Name(name) as owner, member) if member in members.get(name, ()):
            every = members[name]
            yield "member", ast.Attribute(owner, every[(every.index(member) + 1) % len(every)], ast.Load())
        case ast.Call(ast.Name(name), arguments, keywords) if name in SWAPPED:
            yield "min, max", ast.Call(ast.Name(SWAPPED[name], ast.Load()), arguments, keywords)


def _answers(within: tuple[Function, ...]) -> bool:
    """Whether the innermost function answers yes or no."""
    function = within[-1] if within else None
    returns = getattr(function, "returns", None)
    return isinstance(returns, ast.Name) and returns.id == "bool"


def _left_out(node: ast.AST, within: tuple[Function, ...], around: tuple[ast.AST, ...]) -> Iterator[Site]:
    """Yield the conditions of a step that might be left out, one by one."""
    match node:
        case ast.keyword(arg, ast.Tuple(elements)) if arg in CONDITIONS:
            pass
        case ast.AnnAssign(annotation=annotation, value=ast.Tuple(elements)) if _of_guards(annotation):
            pass
        case _:
            return
    for place, element in enumerate(elements):

        def apply(place: int = place) -> None:
            del elements[place]

        yield Site("left out", element, within, around, ast.unparse(element), "", apply)


def _of_guards(annotation: ast.AST) -> bool:
    return "Guard[" in ast.unparse(annotation)
