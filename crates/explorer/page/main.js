// The address decides what is shown: `#view&key=value&…`.

const html = document.documentElement;

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
  html.lang = chinese ? "zh-CN" : "en";
  if (chosen.theme) html.dataset.theme = chosen.theme;
  $("#theme").textContent = isDark() ? t("Light theme", "浅色") : t("Dark theme", "深色");
  for (const section of $$("main > section")) section.hidden = section.id !== `v-${name}`;
  linkTabs();
  const tab = $(`#tabs [data-view=${name}]`);
  document.title = `${$(chinese ? "[lang=zh]" : "[lang=en]", tab).textContent} · Bitcraft`;
  try {
    views[name].open();
    $("#trouble").hidden = true;
  } catch (error) {
    // A mistake in a search stops that search, not the page.
    $("#trouble").textContent = t(`Error: ${address(name)} (${error.message})`, `出错：${address(name)}（${error.message}）`);
    $("#trouble").hidden = false;
  }
  if (changed) html.dataset.ready = name;
  saveAddress();
}

$("#language").addEventListener("click", () => {
  chosen.lang = chinese ? "en" : "zh";
  open(current);
});
const isDark = () => (chosen.theme ? chosen.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
$("#theme").addEventListener("click", () => {
  chosen.theme = isDark() ? "light" : "dark";
  open(current);
});
addEventListener("hashchange", route);
addEventListener("beforeprint", () => $$("details").forEach((one) => (one.open = true)));

try {
  await loadReferences();
} catch {
  $("#no-module").hidden = false;
}
route();
