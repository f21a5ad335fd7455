"""The shop's SQLite database: its tables, and the rows a new one is filled with."""

import sqlite3
from contextlib import closing
from functools import lru_cache
from random import Random

from labkit.shop.data import draw_currencies, draw_orders, draw_rates

# Money is kept in whole cents, so that sums of refunds are exact.
TABLES = (
    """CREATE TABLE IF NOT EXISTS orders (order_id TEXT PRIMARY KEY, item TEXT,
    weight_kg REAL, country TEXT, price_cents INTEGER, currency TEXT, status TEXT)""",
    "CREATE TABLE IF NOT EXISTS rates (country TEXT PRIMARY KEY, cents INTEGER)",
    "CREATE TABLE IF NOT EXISTS currencies (code TEXT PRIMARY KEY, per_dollar REAL)",
    """CREATE TABLE IF NOT EXISTS ledger (entry INTEGER PRIMARY KEY,
    order_id TEXT REFERENCES orders, cents INTEGER)""",
)


def open_database(path: str, seed: int) -> sqlite3.Connection:
    """A connection to the shop at `path`, which is drawn from the seed if it is new.

    Each statement outside an explicit transaction is committed at once.
    """
    database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    try:
        if path == ":memory:":
            database.deserialize(_drawn(seed))
        else:
            _fill_if_new(database, seed)
    except BaseException:
        database.close()
        raise
    database.row_factory = sqlite3.Row
    return database


def _fill_if_new(database: sqlite3.Connection, seed: int) -> None:
    """Draw the rows, all of them or none, unless there are orders already."""
    with database:
        database.execute("BEGIN IMMEDIATE")  # two programs may open one new file
        for table in TABLES:
            database.execute(table)
        if database.execute("SELECT 1 FROM orders").fetchone():
            return
        rng = Random(seed)
        orders, rates, currencies = (
            draw_orders(rng),
            draw_rates(rng),
            draw_currencies(rng),
        )
        database.executemany("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?)", orders)
        database.executemany("INSERT INTO rates VALUES (?, ?)", rates)
        database.executemany("INSERT INTO currencies VALUES (?, ?)", currencies)


@lru_cache(maxsize=16)
def _drawn(seed: int) -> bytes:
    """The image of a new shop of this seed; a check opens one for each scenario."""
    with closing(sqlite3.connect(":memory:")) as database:
        _fill_if_new(database, seed)
        return database.serialize()
