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

function setCurrent(element, value) {
  if (value) element.setAttribute("aria-current", value);
  else element.removeAttribute("aria-current");
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

// Views by name. A view has `params` (what the address holds, as text), `defaults`, `open()` and maybe `player`.
const views = {};
const register = (name, params) => (views[name] = { params, defaults: { ...params } });
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
    setCurrent(link, link.dataset.view === current && "page");
  }
}

// A number of the address, within its bounds; the address then holds it as it is used.
function read(view, key, low, high, round = Math.floor) {
  const text = view.params[key];
  const value = text !== "" && Number.isFinite(Number(text)) ? round(clamp(Number(text), low, high)) : Number(view.defaults[key]);
  view.params[key] = String(value);
  return value;
}
const stepOf = (view, length, otherwise) => (view.params.step === "" || isNaN(view.params.step) ? otherwise : clamp(Math.floor(view.params.step), 0, length));

// Changes parameters of a view, and shows it.
function change(name, params) {
  Object.assign(views[name].params, { step: "" }, params);
  views[name].open();
  saveAddress();
}
// Controls that stand for parameters of a view.
function bindControls(name, changed = (key, value) => change(name, { [key]: value })) {
  for (const control of $$(`#v-${name} [data-param]`)) {
    control.addEventListener("input", () => {
      if (control.value === "" || !control.validity.valid) return;
      changed(control.dataset.param, control.value);
    });
  }
}
function showControls(name, values = views[name].params) {
  for (const control of $$(`#v-${name} [data-param]`)) {
    const value = String(values[control.dataset.param]);
    if (control.type === "radio") control.checked = control.value === value;
    else if (document.activeElement !== control || control.type === "range") control.value = value;
    const output = $(".shown", control.parentElement);
    if (output) output.textContent = value;
  }
}
const options = (values) => values.map((value) => `<option>${value}</option>`).join("");
