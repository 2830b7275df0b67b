"""Named tuples of integers and arrays that compiled functions are handed as one address.

Numba copies a tuple field by field at every call, and an array in it as seven words: the search of draughts would spend
a fourth of its time on that. Here a function gets the address of words that hold the fields, and reads what it needs.
"""

from __future__ import annotations

import importlib
from functools import lru_cache
from typing import Any

Kinds = tuple[tuple[str, str], ...]
"""By field its name and, for an array, the kind of its numbers as numpy writes it; "" for an integer."""


class ByAddress:
    """A named tuple in this form; its fields are read as those of the tuple are. Its integers stay as they are; what
    its arrays hold may change. It needs numba."""

    def __init__(self, fields: Any) -> None:
        np = importlib.import_module("numpy")
        # Both are kept, for the address is of use as long as they are.
        self._fields = fields
        self._words = np.array([word for value in fields for word in _words(value)], dtype=np.int64)
        self.address = int(self._words.ctypes.data)
        self.type = _type(tuple((name, _kind(getattr(fields, name))) for name in fields._fields))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._fields, name)


def _kind(value: Any) -> str:
    return "" if isinstance(value, int) else str(value.dtype.str)


def _words(value: Any) -> list[int]:
    """An integer, or where an array of one dimension begins and how many entries it has."""
    return [value] if isinstance(value, int) else [value.ctypes.data, len(value)]


@lru_cache(maxsize=64)
def _type(kinds: Kinds) -> Any:
    return _fields_type()(kinds)


@lru_cache(maxsize=1)
def _fields_type() -> Any:
    """The class of numba's types for these tuples, made known to numba."""
    ir = importlib.import_module("llvmlite.ir")
    extending, types = importlib.import_module("numba.core.extending"), importlib.import_module("numba.core.types")
    templates = importlib.import_module("numba.core.typing.templates")
    lower_getattr = importlib.import_module("numba.core.imputils").lower_getattr_generic
    kind_of_type: Any = types.Type
    kind_of_model: Any = extending.models.PrimitiveModel
    kind_of_attributes: Any = templates.AttributeTemplate
    np, numpy_support = importlib.import_module("numpy"), importlib.import_module("numba.np.numpy_support")
    word, words = ir.IntType(64), ir.IntType(64).as_pointer()

    class Fields(kind_of_type):  # type: ignore[misc]
        """``places``: by field in which word it begins, and its type."""

        def __init__(self, kinds: Kinds) -> None:
            self.places: dict[str, tuple[int, Any]] = {}
            at = 0
            for name, kind in kinds:
                array = types.Array(numpy_support.from_dtype(np.dtype(kind)), 1, "C") if kind else None
                self.places[name] = at, array or types.int64
                at += 2 if array else 1
            super().__init__(name=f"Fields{kinds}")

    class Model(kind_of_model):  # type: ignore[misc]
        def __init__(self, manager: Any, fields: Any) -> None:
            super().__init__(manager, fields, words)

    class Attributes(kind_of_attributes):  # type: ignore[misc]
        key = Fields

        def generic_resolve(self, fields: Any, name: str) -> Any:
            return fields.places[name][1] if name in fields.places else None

    def unboxed(fields: Any, value: Any, c: Any) -> Any:
        number = c.pyapi.object_getattr_string(value, "address")
        address = c.pyapi.long_as_longlong(number)
        c.pyapi.decref(number)
        return extending.NativeValue(c.builder.inttoptr(address, words))

    def read(context: Any, builder: Any, fields: Any, begin: Any, name: str) -> Any:
        at, kind = fields.places[name]

        def entry(number: int) -> Any:
            value = builder.load(builder.gep(begin, [word(number)]))
            # So that it is read once, whatever the function writes elsewhere.
            value.set_metadata("invariant.load", builder.module.add_metadata([]))
            return value

        if kind is types.int64:
            return entry(at)
        array, of = context.make_array(kind)(context, builder), context.get_data_type(kind.dtype)
        size = word(context.get_abi_sizeof(of))
        data = builder.inttoptr(entry(at), of.as_pointer())
        context.populate_array(array, data=data, shape=[entry(at + 1)], strides=[size], itemsize=size, meminfo=None)
        return array._getvalue()

    extending.register_model(Fields)(Model)
    extending.typeof_impl.register(ByAddress)(lambda value, _: value.type)
    extending.unbox(Fields)(unboxed)
    templates.infer_getattr(Attributes)
    lower_getattr(Fields)(read)
    return Fields
