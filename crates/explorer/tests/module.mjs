// Calls functions of the explorer's module. A line of standard input is `list NAME PARAMETERS…`, for a function that records a list, or
// `number NAME PARAMETERS…`; what it gives is printed in a line.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const module = new WebAssembly.Module(readFileSync(new URL("../explorer.wasm", import.meta.url)));
assert.deepEqual(WebAssembly.Module.imports(module), [], "the module needs nothing");
const { exports } = new WebAssembly.Instance(module);
const lines = readFileSync(0, "utf8").split("\n").map((line) => {
  const [kind, name, ...parameters] = line.split(" ");
  const result = exports[name](...parameters.map(Number));
  return kind === "number" ? result : new Uint32Array(exports.memory.buffer, exports.list() >>> 0, result).join(" ");
});
process.stdout.write(lines.map((line) => `${line}\n`).join(""));
