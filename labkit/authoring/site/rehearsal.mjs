// Run by Node: Python as it will be in the browser, with all the packages of a shelf.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const shelf = process.argv[2];
try {
  const { loadPyodide } = await import(pathToFileURL(join(shelf, "pyodide.mjs")));
  const list = JSON.parse(readFileSync(join(shelf, "pyodide-lock.json"), "utf8"));
  const packages = Object.keys(list.packages);
  const python = await loadPyodide({ indexURL: shelf, packages });
  python.mountNodeFS("/shelf", shelf);
  python.runPython(readFileSync(new URL("rehearsal.py", import.meta.url), "utf8"));
  await python.globals.get("main")("/shelf/compiled.zip");
} catch (error) {
  // Not the error as it is: its source line is a megabyte long.
  console.error(error.message?.trim() || error.type || String(error));
  process.exit(1);
}
