"""A schema and the method it describes say the same thing."""

import inspect
from contextlib import closing
from typing import Any, get_type_hints

import pytest

from labkit.shop import LOOKUP_ORDER, SYSTEM, TOOLS, Shop
from labkit.shop.data import PER_DOLLAR, STATUSES

JSON_TYPES = {str: "string", float: "number", str | None: "string"}
NAMES = [tool["function"]["name"] for tool in TOOLS]


def described(name: str) -> dict[str, Any]:
    return next(tool["function"] for tool in TOOLS if tool["function"]["name"] == name)


def parameters_of(name: str) -> dict[str, inspect.Parameter]:
    signature = inspect.signature(getattr(Shop, name))
    return {key: one for key, one in signature.parameters.items() if key != "self"}


def test_there_are_six_tools_and_the_first_is_lookup_order() -> None:
    assert TOOLS[0] is LOOKUP_ORDER
    assert NAMES == [
        "lookup_order",
        "list_orders",
        "shipping_rate",
        "convert_currency",
        "calculator",
        "refund",
    ]


def test_the_functions_are_the_six_tools_and_the_sum_the_agent_asks_for() -> None:
    with closing(Shop()) as shop:
        assert set(shop.functions) == {*NAMES, "refunded_so_far"}
        assert all(shop.functions[name] == getattr(shop, name) for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_names_the_parameters_of_its_method(name: str) -> None:
    schema = described(name)["parameters"]
    assert list(schema["properties"]) == list(parameters_of(name))
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_requires_what_has_no_default(name: str) -> None:
    found = parameters_of(name).items()
    needed = [key for key, one in found if one.default is inspect.Parameter.empty]
    assert described(name)["parameters"]["required"] == needed


@pytest.mark.parametrize("name", NAMES)
def test_a_schemas_types_are_those_of_the_annotations(name: str) -> None:
    hints = get_type_hints(getattr(Shop, name))
    for key, field in described(name)["parameters"]["properties"].items():
        assert field["type"] == JSON_TYPES[hints[key]]


@pytest.mark.parametrize("name", NAMES)
def test_every_description_says_more_than_a_name(name: str) -> None:
    fields = described(name)["parameters"]["properties"].values()
    texts = [described(name)["description"], *(one["description"] for one in fields)]
    assert all(len(text.split()) >= 5 for text in texts)


def test_the_schemas_know_the_statuses_and_currencies_of_the_shop() -> None:
    statuses = described("list_orders")["parameters"]["properties"]["status"]["enum"]
    assert statuses == list(STATUSES)
    told = described("convert_currency")["description"]
    assert all(code in told for code in ("USD", *PER_DOLLAR))


def test_the_system_prompt_is_about_sixty_words_on_the_shops_rules() -> None:
    assert 50 <= len(SYSTEM.split()) <= 75
    assert all(
        word in SYSTEM for word in ("Northwind", "tools", "calculator", "refund")
    )
