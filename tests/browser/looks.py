"""How a page looks in light and in dark: pictures of it, and texts one cannot read."""

from pathlib import Path
from typing import Any

PICTURES = Path(__file__).parents[2] / "build" / "screenshots"
THEMES = {"light": "true", "dark": "false"}
# WCAG 2 asks for 4.5; JupyterLab's own grey on its own grey has 4.4.
LEAST_CONTRAST = 4.3

FAINT = """least => {
    const pixel = document.createElement("canvas").getContext(
        "2d", {willReadFrequently: true});
    const known = new Map();
    const rgba = colour => {
        if (!known.has(colour)) {
            pixel.clearRect(0, 0, 1, 1);
            pixel.fillStyle = colour;
            pixel.fillRect(0, 0, 1, 1);
            known.set(colour, [...pixel.getImageData(0, 0, 1, 1).data]);
        }
        return known.get(colour);
    };
    const over = ([r, g, b, a], below, opacity = 1) =>
        [r, g, b].map((c, i) => below[i] + (c - below[i]) * a * opacity / 255);
    const ground = element => {
        if (!element) return [255, 255, 255];
        const own = rgba(getComputedStyle(element).backgroundColor);
        return own[3] === 255 ? own : over(own, ground(element.parentElement));
    };
    const opacity = element => element
        ? getComputedStyle(element).opacity * opacity(element.parentElement) : 1;
    const light = colour => {
        const [r, g, b] = colour.map(c => c / 255).map(
            c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const found = new Set();
    for (const part of document.querySelectorAll(".jp-OutputArea [class*='labkit-']")) {
        for (const element of [part, ...part.querySelectorAll("*")]) {
            const text = [...element.childNodes].filter(n => n.nodeType === 3)
                .map(n => n.data).join("").trim();
            // Beside what is hidden from readers stand words that say the same.
            const silent = element.closest("style, [aria-hidden=true]");
            if (!text || silent || !element.checkVisibility()) continue;
            const below = ground(element);
            const own = rgba(getComputedStyle(element).color);
            const ink = over(own, below, opacity(element));
            const both = [light(ink), light(below.slice(0, 3))];
            const [high, low] = both.sort((a, b) => b - a);
            const ratio = (high + 0.05) / (low + 0.05);
            if (ratio < least) found.add(`${ratio.toFixed(1)}: ${text.slice(0, 60)}`);
        }
    }
    return [...found];
}"""


def in_both_themes(page: Any, **shown: Any) -> None:
    """Take a picture of each element in light and in dark; see `in_theme`."""
    for theme in THEMES:
        in_theme(page, theme, **shown)


def in_theme(page: Any, theme: str, **shown: Any) -> None:
    """Take a picture of each element in a theme, under its name and the theme's.

    And see that every text of the lab's on this page can be read in it.
    """
    page.emulate_media(color_scheme=theme)
    page.wait_for_selector(
        f"body[data-jp-theme-light={THEMES[theme]}]", state="attached"
    )
    for name, element in shown.items():
        element.screenshot(path=PICTURES / f"{name}_{theme}.png")
    faint = page.evaluate(FAINT, LEAST_CONTRAST)
    assert not faint, f"hard to read where it is {theme}: {faint}"
