// What all views share: texts, the address, drawing, and the references.
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const range = (length) => Array.from({ length }, (_, i) => i);

let chinese = false;
const t = (en, zh) => (chinese ? zh : en);

// Replaces what an element shows, if it differs, and leaves the focus where it was (by data-key).
function draw(element, html) {
  if (element.drawn === html) return;
  element.drawn = html;
  const key = element.contains(document.activeElement) && document.activeElement.dataset.key;
  element.innerHTML = html;
  if (key) $(`[data-key="${key}"]`, element)?.focus({ preventScroll: true });
}

// The reference searches, which record what they do as a list of 32-bit words.
let wasm;
async function loadReferences() {
  const bytes = Uint8Array.from(atob($("#module").textContent), (letter) => letter.charCodeAt(0));
  wasm = (await WebAssembly.instantiate(bytes)).instance.exports;
}
function list(name, ...parameters) {
  const length = wasm[name](...parameters);
  return new Uint32Array(wasm.memory.buffer, wasm.list() >>> 0, length).slice();
}

// Views by name. A view has `params` (what the address holds, as text), `open()` and maybe `player`.
const views = {};
let current = "";
// Language and theme, if they were chosen.
const chosen = { lang: "", theme: "" };

const pairs = (values) =>
  Object.entries(values)
    .filter(([, value]) => value !== "")
    .map(([key, value]) => `&${key}=${value}`)
    .join("");
const address = (name) => `#${name}${pairs(views[name].params)}${pairs(chosen)}`;

let addressDue = 0;
function saveAddress() {
  clearTimeout(addressDue);
  addressDue = setTimeout(() => {
    history.replaceState(null, "", address(current));
    linkTabs();
  }, 120);
}
function linkTabs() {
  for (const link of $$("#tabs a")) {
    link.setAttribute("href", address(link.dataset.view));
    if (link.dataset.view === current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

// A whole number or a fraction from the address, kept within its bounds.
function number(text, low, high, otherwise) {
  const value = text === "" || text === undefined ? NaN : Number(text);
  return Number.isFinite(value) ? clamp(value, low, high) : otherwise;
}
const whole = (...args) => Math.floor(number(...args));

// Controls that stand for parameters of a view.
function bindControls(name, changed) {
  for (const control of $$(`#v-${name} [data-param]`)) {
    control.addEventListener("input", () => {
      if (control.value === "" || !control.validity.valid) return;
      changed(control.dataset.param, control.value);
    });
  }
}
function showControls(name, values) {
  for (const control of $$(`#v-${name} [data-param]`)) {
    const value = String(values[control.dataset.param]);
    if (control.type === "radio") control.checked = control.value === value;
    else if (document.activeElement !== control || control.type === "range") control.value = value;
    const output = $("output", control.parentElement);
    if (output) output.textContent = value;
  }
}
const options = (values) => values.map((value) => `<option>${value}</option>`).join("");
