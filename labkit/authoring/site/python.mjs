// Python, with all that a learner needs first. It starts when a worker has this file,
// not when JupyterLite's kernel asks for it: JupyterLab takes as long to start.
import { loadPyodide as load } from "./pyodide.mjs";

// What a learner does first, done before: it is imported then, and its caches are full.
const FIRST = `
import gc
import os

gc.disable()  # nothing of what is loaded is garbage
import piplite.piplite  # before the kernel, as JupyterLite has it
import pyodide_kernel, ipywidgets
from labkit import MODEL, Lesson, connect
from labkit.shop import TOOLS

os.environ["LABKIT_DISPLAY"] = "text"  # nobody looks, so no widgets
question = [{"role": "user", "content": "What did order NW-1041 cost?"}]
client = connect("price_asked")
client.chat.completions.create(model=MODEL, messages=question, tools=TOOLS[:1])
lab = Lesson("lesson_01_raw_tool_call")
lab.show("price_asked")
lab.check(TOOLS[0])
del os.environ["LABKIT_DISPLAY"]
gc.enable()
`;
const heard = {}; // the kernel's stdout and stderr, once it has asked

async function start() {
  const lock = await (await fetch(beside("pyodide-lock.json"))).json();
  const python = await load({
    lockFileContents: lock,
    packageBaseUrl: new URL(".", import.meta.url).href,
    packages: Object.keys(lock.packages),
    fsInit: unpack,
    stdout: (text) => heard.stdout?.(text),
    stderr: (text) => heard.stderr?.(text),
  });
  python.runPython(FIRST, { globals: python.toPy({}) });
  return python;
}

// Writes the files of `packing.py`: a line lists paths and sizes, then come the bytes.
async function unpack(FS, { sitePackages }) {
  const all = await packed;
  const made = new Set();
  let start = all.indexOf(10) + 1;
  const files = JSON.parse(new TextDecoder().decode(all.subarray(0, start)));
  for (const [name, size] of files) {
    const path = `${sitePackages}/${name}`;
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(folder)) FS.mkdirTree(folder);
    made.add(folder);
    FS.writeFile(path, all.subarray(start, (start += size)), { canOwn: true });
  }
}

async function fetchPacked() {
  const { body } = await fetch(beside("packages.data"));
  const bytes = new Response(body.pipeThrough(new DecompressionStream("gzip")));
  return new Uint8Array(await bytes.arrayBuffer());
}

// A file of the same build as this one: its mark stands behind the "?" of both.
function beside(name) {
  return new URL(name + new URL(import.meta.url).search, import.meta.url);
}

const packed = fetchPacked();
const python = start();

export function loadPyodide({ stdout, stderr }) {
  Object.assign(heard, { stdout, stderr });
  return python;
}
