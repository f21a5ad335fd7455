"""Northwind: a small shop in SQLite and the six tools its support assistant has."""

from labkit.shop.cases import cases
from labkit.shop.schemas import LOOKUP_ORDER, SYSTEM, TOOLS
from labkit.shop.store import Shop, facts_for

__all__ = ["LOOKUP_ORDER", "SYSTEM", "TOOLS", "Shop", "cases", "facts_for"]
