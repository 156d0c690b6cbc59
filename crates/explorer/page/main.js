// The address decides what is shown: `#view&key=value&…`.

function route() {
  const [name, ...rest] = location.hash.slice(1).replaceAll("%2C", ",").split("&");
  const values = Object.fromEntries(rest.map((pair) => pair.split("=")));
  const next = views[name] && (wasm || name === "counts") ? name : wasm ? "backtracking" : "counts";
  for (const key of ["lang", "theme"]) chosen[key] = values[key] ?? chosen[key];
  const { params, defaults } = views[next];
  for (const key of Object.keys(params)) params[key] = values[key] ?? (rest.length ? defaults[key] : params[key]);
  open(next);
}

function open(name) {
  views[current]?.player?.stop();
  const changed = current !== name;
  current = name;
  chinese = chosen.lang ? chosen.lang === "zh" : navigator.language.startsWith("zh");
  document.documentElement.lang = chinese ? "zh-CN" : "en";
  if (chosen.theme) document.documentElement.dataset.theme = chosen.theme;
  const language = $("#language");
  language.textContent = chinese ? "English" : "中文";
  language.lang = chinese ? "en" : "zh-CN";
  for (const section of $$("main > section")) section.hidden = section.id !== `v-${name}`;
  linkTabs();
  const tab = $(`#tabs [data-view=${name}]`);
  document.title = `${$(chinese ? "[lang=zh]" : "[lang=en]", tab).textContent} · Bitcraft`;
  try {
    views[name].open();
    $("#trouble").hidden = true;
  } catch (error) {
    // A mistake in a search stops that search, not the page.
    trouble(t(`This did not work: ${address(name)} (${error.message})`, `出错：${address(name)}（${error.message}）`));
  }
  if (changed) document.documentElement.dataset.ready = name;
  saveAddress();
}
function trouble(text) {
  $("#trouble").textContent = text;
  $("#trouble").hidden = false;
}

$("#language").addEventListener("click", () => {
  chosen.lang = chinese ? "en" : "zh";
  open(current);
});
$("#theme").addEventListener("click", () => {
  const dark = chosen.theme ? chosen.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  chosen.theme = dark ? "light" : "dark";
  open(current);
});
window.addEventListener("hashchange", route);

try {
  await loadReferences();
} catch {
  chinese = navigator.language.startsWith("zh");
}
route();
if (!wasm) trouble(t("This browser runs no WebAssembly, so only the table of counts is shown.", "此浏览器不支持 WebAssembly，只显示解的个数表。"));
