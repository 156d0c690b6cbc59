// Opens the page of `grader explore` in Chromium, from disk and without network, and checks it.
//
//     npm install --prefix TOOLS playwright-core axe-core
//     node .ci/browser/explorer.mjs TOOLS GRADER [CHECK]
//
// GRADER is the program that writes the page, and whose references it must agree with; CHECK is the beginning of the
// name of the only check to make. CHROMIUM names another browser.
//
// The numbers are those of the acceptance list of the pages.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [tools, grader] = process.argv.slice(2, 4).map((path) => resolve(path));
const only = process.argv[4] ?? "";
const require = createRequire(join(tools, "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "explorer-"));
const file = join(folder, "explore.html");
execFileSync(grader, ["explore", "-o", file]);
const reference = (...args) => execFileSync(grader, ["reference", ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run"],
});

// A page that must load nothing and say nothing on the console.
async function open(hash, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US", offline: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  page.troubles = [];
  page.on("console", (message) => page.troubles.push(message.text()));
  page.on("pageerror", (error) => page.troubles.push(error.message));
  page.on("request", (request) => request.url().startsWith(`file://${file}`) || page.troubles.push(request.url()));
  await page.goto(`file://${file}${hash}`);
  await page.waitForSelector("html[data-ready]");
  return page;
}
async function close(page) {
  assert.deepEqual(page.troubles, []);
  await page.context().close();
}
const now = (page, view = "backtracking") => page.textContent(`#v-${view} .now`);
const press = (page, what, view = "backtracking") => page.click(`#v-${view} [data-go="${what}"]`, { force: true });
const slide = (page, selector, value) =>
  page.$eval(selector, (input, value) => { input.value = value; input.dispatchEvent(new Event("input", { bubbles: true })); }, String(value));
const bits = (page, row) => page.$$eval(`#masks [data-row="${row}"] td`, (cells) => cells.map((cell) => cell.textContent).join("").replace(/(.{4})(?=.)/g, "$1 "));
// The page writes its address a moment after a change.
const assertAddress = (page, pattern) => page.waitForFunction((source) => new RegExp(source).test(location.hash), pattern.source);
// Waits until the page has been drawn so often.
const frames = (page, count) =>
  page.evaluate((count) => new Promise((done) => {
    const next = () => (count-- > 0 ? requestAnimationFrame(next) : done());
    next();
  }), count);
const dom = (page, view) => page.$eval(`#v-${view}`, (section) => section.outerHTML);
const columnsOf = (page, board) =>
  page.$$eval(`${board} .queen`, (queens) => queens.map((queen) => queen.getAttribute("transform").match(/\d+/g).map(Number)).sort((a, b) => a[1] - b[1]).map(([x]) => x / 40 + 1).join(" "));

const checks = {
  async "B1 the example position"() {
    const page = await open("");
    await page.click("[data-do=figure]");
    const rows = { columns: "1000 1001", right: "0001 0010", left: "0010 0010", open: "0100 0100", queen: "0000 0100", nextColumns: "1000 1101", nextRight: "0000 1011", nextLeft: "0100 1100" };
    for (const [row, expected] of Object.entries(rows)) assert.equal(await bits(page, row), expected, row);
    assert.equal(await columnsOf(page, "#queens"), "1 5 8");
    assert.match(await page.innerText("#misprint"), /0010 0000.*misprint.*0010 0010/);
    assert.match(await page.innerText("#ends"), /Column 1 is the left end/);
    await close(page);
  },
  async "B2 4, 40 and 92 solutions, 2057 calls"() {
    for (const [n, solutions] of [[6, 4], [7, 40], [8, 92], [12, 14200]]) {
      const page = await open(`#backtracking&n=${n}`);
      await press(page, "last");
      assert.match(await now(page), new RegExp(`is over: ${solutions} solutions`));
      if (n === 8) assert.match(await now(page), /in 2057 calls/);
      await close(page);
    }
  },
  async "B3 forward and back, and the slider, show the same"() {
    for (const [view, k] of [["backtracking", 60], ["local-search", 20], ["annealing", 80], ["gray", 9]]) {
      const page = await open(`#${view}&step=2`);
      if (view === "annealing") await page.waitForSelector("#grid button");
      const start = await dom(page, view);
      for (let i = 0; i < k; i++) await page.keyboard.press("ArrowRight");
      const there = await dom(page, view);
      assert.notEqual(there, start);
      for (let i = 0; i < k; i++) await page.keyboard.press("ArrowLeft");
      assert.equal(await dom(page, view), start, `${view}: back`);
      await slide(page, `#v-${view} .slider`, Math.min(k + 2, await page.$eval(`#v-${view} .slider`, (one) => Number(one.max))));
      assert.equal(await dom(page, view), there, `${view}: slider`);
      await close(page);
    }
  },
  async "B4 cells by colour, pattern and in binary"() {
    const page = await open("#backtracking&n=8");
    for (const step of [3, 17, 100, 1500, 3883]) {
      await slide(page, "#v-backtracking .slider", step);
      const wrong = await page.evaluate(() => {
        const one = (row, column) => document.querySelector(`#masks [data-key="${row}${column}"]`)?.textContent === "1";
        return [...document.querySelectorAll("#queens .cell")].filter((cell) => {
          const { column } = cell.dataset;
          const fills = ["columns", "right", "left"].map((name) => Boolean(cell.querySelector(`.fill-${name}`)) === one(name, column));
          return fills.includes(false) || Boolean(cell.querySelector(".free:not(.tried)")) !== one("open", column) || Boolean(cell.querySelector(".lowest")) !== one("queen", column);
        }).length;
      });
      assert.equal(wrong, 0, `step ${step}`);
    }
    const pictures = await page.evaluate(() => ["columns", "right", "left"].map((name) => [getComputedStyle(document.querySelector(`.stripe-${name}`)).stroke, document.querySelector(`.stripe-${name}`).getAttribute("d")]));
    for (const part of [0, 1]) assert.equal(new Set(pictures.map((picture) => picture[part])).size, 3);
    await page.hover("#masks [data-key=right4]");
    assert.equal(await page.$$eval("#queens .cell.spot", (cells) => cells.map((cell) => cell.dataset.column).join()), "4");
    await page.focus("#masks [data-key][tabindex='0']");
    await page.keyboard.press("ArrowRight");
    const focused = await page.evaluate(() => document.activeElement.dataset.column);
    assert.equal(await page.$eval("#queens .cell.spot", (cell) => cell.dataset.column), focused);
    // A press on a free square puts the next queen there; on an attacked one it does nothing.
    await page.click("#queens .cell[data-column='6']");
    assert.equal(await columnsOf(page, "#queens"), "1 5 8 2");
    await page.click("#queens .cell[data-column='6']");
    assert.equal(await columnsOf(page, "#queens"), "1 5 8 2");
    await close(page);
  },
  async "B5 play, pause, speed, keys, jumps; nothing moves by itself"() {
    const page = await open("#backtracking&n=6", { reducedMotion: "reduce" });
    const start = await dom(page, "backtracking");
    await frames(page, 30);
    assert.equal(await dom(page, "backtracking"), start);
    const running = await page.evaluate(() => document.getAnimations().length);
    assert.equal(running, 0);
    const step = async () => Number(await page.inputValue("#v-backtracking .slider"));
    await slide(page, "#v-backtracking .rate", 7);
    await page.keyboard.press(" ");
    await page.waitForFunction(() => document.querySelector("#v-backtracking .slider").value > 5);
    await page.keyboard.press(" ");
    const paused = await step();
    await frames(page, 10);
    assert.equal(await step(), paused);
    await page.keyboard.press("Home");
    assert.equal(await step(), 0);
    await page.keyboard.press("ArrowRight");
    assert.equal(await step(), 1);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await step(), 0);
    await press(page, "solution");
    assert.match(await now(page), /^Solution 1 of 4/);
    await press(page, "deadEnd");
    assert.match(await now(page), /dead end/);
    await page.keyboard.press("End");
    assert.match(await now(page), /is over/);
    await close(page);
  },
  async "B6 the current line in four languages"() {
    const page = await open("#backtracking&n=6");
    const lines = { C: [/open & -open/, /while \(open\)/, /solutions\+\+/], Pascal: [/Open and -Open/, /while Open <> 0/, /Inc\(Solutions\)/], Python: [/open & -open/, /while open:/, /solutions \+= 1/], Rust: [/wrapping_neg/, /while open != 0/, /return 1/] };
    for (const [language, [bit, loop, solution]] of Object.entries(lines)) {
      await page.click(`#tab-${language}`);
      const current = () => page.$$eval("#code [aria-current]", (found) => found.map((line) => line.textContent).join("\n"));
      await press(page, "first");
      assert.match(await current(), bit);
      await press(page, "deadEnd");
      assert.match(await current(), loop);
      await press(page, "solution");
      assert.match(await current(), solution);
      await assertAddress(page, new RegExp(`code=${language}`));
    }
    await close(page);
  },
  async "B7 QS1, QS2 and QS4 end where the programs do"() {
    for (const method of [1, 2, 4]) {
      for (const [n, seed] of [[8, 1], [16, 7], [40, 3]]) {
        const page = await open(`#local-search&method=${method}&n=${n}&seed=${seed}`);
        const marked = await page.$$eval("#local-board .attacked", (marks) => marks.length);
        assert.ok(marked > 1 || /: 0 collisions/.test(await now(page, "local-search")), "attacked queens are marked");
        await press(page, "last", "local-search");
        assert.match(await now(page, "local-search"), /0 collisions/);
        assert.equal(await page.$$eval("#local-board .attacked", (marks) => marks.length), 0);
        const expected = reference("polynomial", String(n), "--method", `qs${method}`, "--seed", String(seed));
        assert.equal(await columnsOf(page, "#local-board"), expected.trim(), `qs${method}, n = ${n}`);
        await close(page);
      }
    }
    const page = await open("#local-search&method=1&n=16&seed=7&step=1");
    await press(page, "swap", "local-search");
    assert.equal(await page.$$eval("#local-board .pair", (pairs) => pairs.length), 2);
    await close(page);
  },
  async "B8 annealing as its trace tells it"() {
    const trace = join(folder, "trace.csv");
    const expected = reference("annealing", "20", "--seed", "7", "--trace", trace).trim();
    const page = await open("#annealing&n=20&start=1&cooling=0.9&final=0.3&seed=7&step=0");
    const [first, ...sweeps] = readFileSync(trace, "utf8").trim().split("\n").slice(1).map((line) => line.split(",").map(Number));
    assert.match(await now(page, "annealing"), new RegExp(`^Energy ${first[3]},`));
    let step = 0;
    for (const [, , temperature, energy, , proposals] of sweeps) {
      step += proposals;
      await slide(page, "#v-annealing .slider", step);
      assert.match(await now(page, "annealing"), new RegExp(`^Energy ${energy}, temperature ${temperature.toFixed(3)}`), `step ${step}`);
    }
    assert.equal(await columnsOf(page, "#annealing-board"), expected);
    await press(page, "first", "annealing");
    await press(page, "uphill", "annealing");
    const [, u, sign, delta, temperature, chance] = (await page.innerText("#decision")).match(/u = ([\d.]+) ([<≥]) exp\(−(\d) \/ ([\d.]+)\) = ([\d.]+)/);
    assert.ok(Math.abs(Math.exp(-delta / temperature) - chance) < 1e-3);
    assert.equal(Number(u) < Number(chance), sign === "<");
    const cursors = await page.$$eval("#annealing-plots .cursor", (lines) => lines.map((line) => line.getAttribute("x1")));
    assert.equal(cursors.length, 3);
    assert.equal(new Set(cursors).size, 1);
    await close(page);
  },
  async "B9 sliders run again at once; a grid of schedules"() {
    const page = await open("#annealing");
    const grid = await page.waitForSelector("#grid table");
    let slowest = 0;
    for (const [name, value] of [["start", 3], ["cooling", 0.7], ["final", 0.3], ["seed", 5]]) {
      const before = await page.innerHTML("#annealing-plots");
      const took = await page.$eval(`#v-annealing [data-param=${name}]`, (input, value) => {
        const begin = performance.now();
        input.value = value;
        input.dispatchEvent(new Event("input"));
        return performance.now() - begin;
      }, String(value));
      slowest = Math.max(slowest, took);
      assert.notEqual(await page.innerHTML("#annealing-plots"), before, name);
    }
    // Printed, not asserted: a busy machine takes longer.
    console.log(`     a slider takes at most ${slowest.toFixed(0)} ms (budget 100)`);
    // It is drawn again for another `final`.
    await page.waitForFunction((before) => document.querySelector("#grid table") !== before, grid);
    const cells = await page.$$eval("#grid button", (buttons) => buttons.map((button) => button.textContent));
    assert.equal(cells.length, 36);
    assert.ok(cells.every((cell) => Number(cell) >= 0 && Number(cell) <= 20));
    await page.click('#grid [data-key="4/0.98"]');
    await assertAddress(page, /start=4&cooling=0.98/);
    assert.equal(await page.getAttribute('#grid [data-key="4/0.98"]', "aria-current"), "true");
    await close(page);
  },
  async "B10 the table of counts, counted live up to 12"() {
    const page = await open("#counts");
    await page.waitForFunction(() => document.querySelectorAll("#counts-table tbody tr")[11].children[3].textContent !== "");
    const rows = await page.$$eval("#counts-table tbody tr", (lines) => lines.map((line) => [...line.children].map((cell) => cell.textContent.replace(/\s/g, ""))));
    assert.equal(rows.length, 27);
    assert.deepEqual(rows.slice(0, 12).map((row) => row[3]), new Array(12).fill("✓"));
    assert.deepEqual(rows[26].slice(0, 3), ["27", "234907967154122528", "10.53"]);
    assert.match(await page.innerText("#v-counts"), /What do you notice/);
    await close(page);
  },
  async "B11 the bit primer"() {
    const page = await open("#bits");
    const value = (name) => page.$$eval("[data-line]", (lines, name) => lines.find((line) => line.dataset.line === name).querySelector(".value").textContent, name);
    const expected = { "x & y": "12", "x | y": "61", "x ^ y": "49", "~x": "−61", "x << 2": "240", "x >> 2": "15", "x & -x": "4", "x & (x-1)": "56" };
    for (const [name, text] of Object.entries(expected)) assert.equal(await value(name), text, name);
    await page.click("[data-key=x0]");
    assert.equal(await page.inputValue("#v-bits [data-param=x]"), "61");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.key), "x0");
    await assertAddress(page, /x=61/);
    await close(page);
  },
  async "B12 the address holds everything; attacking queens"() {
    const page = await open("#backtracking&n=8&queens=1,5,8");
    assert.equal(await bits(page, "open"), "0100 0100");
    await press(page, "forward");
    await page.click("#tab-Rust");
    await assertAddress(page, /code=Rust/);
    const address = new URL(page.url()).hash;
    const before = await dom(page, "backtracking");
    const again = await open(address);
    assert.equal(await dom(again, "backtracking"), before);
    await close(again);
    await page.goto(`file://${file}#backtracking&n=4&queens=1,3,2,4&lang=zh&theme=dark`);
    await page.waitForFunction(() => document.documentElement.lang === "zh-CN");
    assert.match(await now(page), /第 2 行第 3 列与第 3 行第 2 列/);
    assert.equal(await page.$$eval("#queens .attacked", (marks) => marks.length), 4);
    assert.equal(await page.getAttribute("html", "data-theme"), "dark");
    await close(page);
    for (const hostile of ["#backtracking&n=<b>&queens=9,9,9&step=-5", "#local-search&n=1e9&seed=x&method=3", "#annealing&start=NaN&n=", "#%E0%A4%A", "#gray&n=99&step=99", "#nothing&=&&"]) {
      const odd = await open(hostile);
      assert.equal(await odd.isVisible("#trouble"), false, hostile);
      await close(odd);
    }
  },
  async "the selected tab is readable at once: its text changes colour at once, so its background must not fade"() {
    const page = await open("");
    const seconds = await page.$$eval("nav a", (tabs) => tabs.map((tab) => getComputedStyle(tab).transitionDuration));
    assert.deepEqual(new Set(seconds), new Set(["0s"]));
    await close(page);
  },
  async "A17 accessibility, 320 px, both languages and themes"() {
    // A theme changes colours only, so every other rule is tried in one of them.
    const rules = { light: { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }, dark: { runOnly: { type: "rule", values: ["color-contrast"] } } };
    const shown = {
      "backtracking&n=8&queens=1,5,8": "#queens .queen",
      "backtracking&n=4&queens=1,3,2,4": "#queens .attacked",
      "backtracking&n=12&step=900": "#queens .queen",
      "local-search&method=4": "#local-board .queen",
      "annealing&n=20": "#grid table",
      counts: "#counts-table tbody tr:nth-child(12) td:nth-child(4):not(:empty)",
      bits: "#v-bits [data-line]",
      "gray&n=6": "#v-gray .now:not(:empty)",
    };
    for (const [view, selector] of Object.entries(shown)) {
      for (const lang of ["en", "zh"]) {
        const page = await open(`#${view}&lang=${lang}&theme=light`, { reducedMotion: "reduce" });
        await page.waitForSelector(selector, { state: "attached" });
        await page.evaluate(axe);
        for (const [theme, options] of Object.entries(rules)) {
          await page.evaluate((hash) => (location.hash = hash), `#${view}&lang=${lang}&theme=${theme}`);
          await page.waitForSelector(`html[data-theme=${theme}]`);
          const found = await page.evaluate((options) => globalThis.axe.run({ ...options, resultTypes: ["violations"] }), options);
          const said = found.violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 2).map((node) => node.html + " " + node.failureSummary).join(" ")}`);
          assert.deepEqual(said, [], `${view} ${lang} ${theme}`);
        }
        await page.setViewportSize({ width: 320, height: 700 });
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(beyond <= 0, `${view} ${lang}: ${beyond} px too wide`);
        await close(page);
      }
    }
  },
  async "A20 size and times"() {
    const size = readFileSync(file).length;
    assert.ok(size <= 160_000, `${size} bytes`);
    const page = await open("#backtracking&n=12");
    const usable = await page.evaluate(() => performance.now());
    const each = await page.evaluate(() => {
      const begin = performance.now();
      for (let i = 0; i < 200; i++) document.querySelector("#v-backtracking [data-go=forward]").click();
      return (performance.now() - begin) / 200;
    });
    console.log(`     ${size} bytes, n = 12 usable within ${usable.toFixed(0)} ms, ${each.toFixed(1)} ms a step (budgets 300 and 16)`);
    await close(page);
  },
};

let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  if (!name.startsWith(only)) continue;
  try {
    await check();
    console.log(`ok   ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${name}\n${error.stack}`);
  }
}
await browser.close();
rmSync(folder, { recursive: true });
process.exit(failed ? 1 : 0);
