"""Northwind's rows: what is the same for every seed, and what the seed draws."""

from random import Random

# order_id, item, weight_kg, country, price in cents, currency, status
OrderRow = tuple[str, str, float, str, int, str, str]

ORDER_COUNT = 120
KNOWN_ID = "NW-1041"
KNOWN_ITEM = "storage crate, solid oak"
POWER_UNIT = "power unit"
POWER_UNIT_CENTS = 640_00
SMALL_CENTS = 100_00  # "small" orders cost less than this

STATUSES = ("processing", "shipped", "delivered", "returned")
COUNTRIES = (
    "Australia",
    "Austria",
    "Brazil",
    "Canada",
    "Denmark",
    "Finland",
    "France",
    "Germany",
    "Ireland",
    "Italy",
    "Japan",
    "Norway",
    "Portugal",
    "Spain",
)
# How much of each currency one US dollar buys, as bounds in ten-thousandths.
PER_DOLLAR = {
    "EUR": (8501, 9800),
    "GBP": (7201, 8400),
    "CAD": (13001, 14500),
    "CHF": (8201, 9500),
    "SEK": (94001, 109000),
}
ITEMS = (
    "adjustable desk lamp, brass",
    "armchair cover, grey linen",
    "bedside table, white ash",
    "cast-iron casserole, 5 litres",
    "coat rack with eight hooks",
    "cotton blanket, double width",
    "door mat, woven coconut fibre",
    "espresso cups, set of six",
    "folding chair, beech and steel",
    "garden hose reel, 30 metres",
    "kitchen scales, stainless steel",
    "laundry basket, peeled willow",
    "mirror, round, 60 centimetres",
    "office chair, high back",
    "picture frames, set of four",
    "plant pot, glazed stoneware",
    "shelf board, oiled walnut",
    "shoe cabinet, three drawers",
    "tool case, 42 pieces, metric",
    "wall clock, radio controlled",
)


def draw_orders(rng: Random) -> list[OrderRow]:
    """All order rows. The first four play parts in lessons, so some fields are set."""
    numbers = rng.sample(range(1100, 9999), ORDER_COUNT - 1)
    ids = [KNOWN_ID, *(f"NW-{number}" for number in numbers)]
    items = [KNOWN_ITEM, POWER_UNIT, *rng.choices(ITEMS, k=ORDER_COUNT - 2)]
    weights = [tenths / 10 for tenths in rng.choices(range(4, 241), k=ORDER_COUNT)]
    weights[0] = _even_tenths(rng)
    countries = rng.choices(COUNTRIES, k=ORDER_COUNT)
    prices = rng.choices(range(15_00, 590_00), k=ORDER_COUNT)
    prices[:2] = [rng.randrange(120_00, 480_00), POWER_UNIT_CENTS]
    prices[2:4] = rng.choices(range(15_00, SMALL_CENTS), k=2)
    currencies = rng.choices(("USD", "USD", "EUR", "GBP"), k=ORDER_COUNT)
    currencies[:4] = ["USD"] * 4
    statuses = rng.choices(STATUSES, k=ORDER_COUNT)
    statuses[:4] = ["processing", "delivered", "delivered", "delivered"]
    columns = (ids, items, weights, countries, prices, currencies, statuses)
    return list(zip(*columns, strict=True))


def draw_rates(rng: Random) -> list[tuple[str, int]]:
    """Each country with its price per kg in cents, a multiple of five."""
    return [(country, 5 * rng.randrange(80, 500)) for country in COUNTRIES]


def draw_currencies(rng: Random) -> list[tuple[str, float]]:
    """Each currency with what one dollar buys of it, to four decimals.

    The last decimal is a 1: an amount in cents times such a rate practically never
    ends on half a cent, where two honest ways of rounding would differ.
    """
    drawn = [(code, rng.randrange(*of, 10) / 10_000) for code, of in PER_DOLLAR.items()]
    return [("USD", 1.0), *drawn]


def _even_tenths(rng: Random) -> float:
    """NW-1041's weight: times a rate in five-cent steps it gives whole cents.

    It is never a whole number, so the postage is no figure the model was shown.
    """
    tenths = 10 * rng.randrange(1, 24) + rng.choice((2, 4, 6, 8))
    return tenths / 10
