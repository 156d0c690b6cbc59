// Backtracking by bit masks. Columns are given as their bit: bit 0 is column n, at the right end.
{
  const view = register("backtracking", { n: "8", queens: "", step: "", code: "C" });
  const REMOVED = 128;
  const SOLUTION = 2;
  const DEAD_END = 1;
  const SPACING = 1024;
  // The masks of attacked squares, by the names that the statement uses, and how far each moves in a row.
  const MASKS = { columns: 0, right: -1, left: 1 };
  const MASK_NAMES = Object.keys(MASKS);

  // The steps of a whole search, with the state at every 1024th one.
  function record(n) {
    const words = list("backtracking", n);
    const run = { n, words, checkpoints: [], solutions: [], deadEnds: [], total: null };
    const queens = [];
    const calls = new Array(n + 1).fill(0);
    calls[0] = 1;
    for (let k = 0; k <= words.length; k++) {
      if (k % SPACING === 0) run.checkpoints.push({ queens: queens.slice(), calls: calls.slice() });
      if (k === words.length) break;
      const word = words[k];
      if (word & REMOVED) queens.pop();
      else {
        queens.push(word & 31);
        calls[queens.length]++;
        const entered = (word >> 5) & 3;
        if (entered === SOLUTION) run.solutions.push(k + 1);
        else if (entered === DEAD_END) run.deadEnds.push(k + 1);
      }
    }
    run.total = calls;
    return run;
  }

  // How many of these ascending steps are at or before k.
  function upTo(steps, k) {
    let [low, high] = [0, steps.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (steps[middle] <= k) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function masks(n, queens) {
    const full = 2 ** n - 1;
    let [columns, right, left] = [0, 0, 0];
    for (const column of queens) {
      const bit = 1 << column;
      columns |= bit;
      right = (right | bit) >> 1;
      left = ((left | bit) << 1) & full;
    }
    return { full, columns, right, left, free: full & ~(columns | right | left) };
  }

  // What the board, the numbers and the code show after k steps.
  function stateAt(run, k) {
    const checkpoint = run.checkpoints[Math.floor(k / SPACING)];
    const queens = checkpoint.queens.slice();
    const calls = checkpoint.calls.slice();
    for (let i = k - (k % SPACING); i < k; i++) {
      if (run.words[i] & REMOVED) queens.pop();
      else {
        queens.push(run.words[i] & 31);
        calls[queens.length]++;
      }
    }
    const last = k > 0 ? run.words[k - 1] : 0;
    const removed = last & REMOVED ? last & 31 : null;
    const state = { n: run.n, k, queens, calls, removed, ...masks(run.n, queens) };
    state.open = removed === null ? state.free : state.free & -(2 << removed);
    state.queen = state.open & -state.open;
    state.solved = queens.length === run.n;
    state.over = k === run.words.length && k > 0;
    state.role = state.solved ? "solution" : state.open ? "queen" : "loop";
    return state;
  }

  const root = $("#v-backtracking");
  let run = null;
  let state = null;
  let spot = null;
  const column = (bit) => state.n - bit;
  const binary = (value, n) => value.toString(2).padStart(n, "0").replace(/\B(?=(.{4})+$)/g, " ");

  function sentence() {
    const row = state.queens.length + 1;
    if (state.over) return t(`The search is over: ${run.solutions.length} solutions in ${run.words.length / 2 + 1} calls.`, `搜索结束：共 ${run.solutions.length} 个解，${run.words.length / 2 + 1} 次调用。`);
    if (state.solved) {
      const number = upTo(run.solutions, state.k);
      const columns = state.queens.map(column).join(" ");
      return t(`Solution ${number} of ${run.solutions.length}: ${columns}.`, `第 ${number} 个解（共 ${run.solutions.length} 个）：${columns}。`);
    }
    const back = state.removed === null ? "" : t(`Back in row ${row}, the queen of column ${column(state.removed)} is gone. `, `回到第 ${row} 行，移走第 ${column(state.removed)} 列的皇后。`);
    if (state.queen) {
      const squares = binary(state.open, state.n).replace(/[0 ]/g, "").length;
      const next = column(Math.log2(state.queen));
      return back + t(`Row ${row}: ${squares} left to try. Next: column ${next}, the lowest bit.`, `第 ${row} 行：还有 ${squares} 格可试。下一个：第 ${next} 列，即最低位。`);
    }
    if (state.removed === null) return t(`Row ${row}: no square is free. A dead end: back to row ${row - 1}.`, `第 ${row} 行：没有空位。死路，退回第 ${row - 1} 行。`);
    return back + t(`No square is left: back to row ${row - 1}.`, `没有可试的格子了，退回第 ${row - 1} 行。`);
  }

  function board() {
    const { n, queens } = state;
    const row = queens.length;
    const x = (bit) => (n - 1 - bit) * 40;
    let content = squares(n);
    // The squares that attack the current row, one line for each queen and direction.
    queens.forEach((bit, from) => {
      const [cx, cy] = [x(bit) + 20, from * 40 + 20];
      for (const [mask, shift] of Object.entries(MASKS)) {
        const end = bit + shift * (row - from);
        const inside = end >= 0 && end < n;
        if (row >= n || !inside) continue;
        content += `<path class="ray ray-${mask}" data-ray="${mask}${end}" d="M${cx} ${cy}L${x(end) + 20} ${row * 40 + 20}"/>`;
      }
    });
    if (row < n) {
      for (const bit of range(n)) {
        const on = (mask) => (mask >> bit) & 1;
        const fills = MASK_NAMES.filter((name) => on(state[name])).map((name) => `<rect class="fill-${name}" width="40" height="40"/>`).join("");
        const free = on(state.free) ? `<circle class="free ${on(state.open) ? "" : "tried"}" cx="20" cy="20" r="12"/>` : "";
        const lowest = on(state.queen) ? `<circle class="lowest" cx="20" cy="20" r="6"/>` : "";
        content += `<g class="cell" data-column="${bit}" transform="translate(${x(bit)} ${row * 40})">${fills}${free}${lowest}<rect class="hit" width="40" height="40"/></g>`;
      }
      content += `<rect class="current" x="1.5" y="${row * 40 + 1.5}" width="${n * 40 - 3}" height="37"/>`;
      if (row + 1 < n) content += `<rect class="later" y="${row * 40 + 40}" width="${n * 40}" height="${(n - row - 1) * 40}"/>`;
    }
    queens.forEach((bit, at) => (content += queen(at, n - 1 - bit)));
    const label = t("Columns of the queens: ", "各皇后所在列：") + queens.map(column);
    draw($("#queens"), frame(n, content, label, row));
  }
  const NAMES = {
    columns: ["queens above", "上方的皇后"],
    right: ["diagonals ╲", "斜线 ╲"],
    left: ["diagonals ╱", "斜线 ╱"],
    open: ["none of the three", "三者都不占"],
    queen: ["open & -open"],
    nextColumns: ["columns | queen"],
    nextRight: ["(right | queen) >> 1"],
    nextLeft: ["(left | queen) << 1"],
  };
  function numbers() {
    const { n, full, columns, right, left, open, queen } = state;
    const rows = { columns, right, left, open, queen: queen || undefined };
    const next = (value) => (queen ? value & full : undefined);
    if (!state.solved) Object.assign(rows, { nextColumns: next(columns | queen), nextRight: next((right | queen) >> 1), nextLeft: next((left | queen) << 1) });
    const bits = range(n).reverse();
    const gap = (at) => (at % 4 === 3 && at < n - 1 ? " gap" : "");
    const head = bits.map((at) => `<th scope="col" class="${gap(at)}">${n - at}</th>`).join("");
    const line = ([name, value]) => {
      const [en, zh = en] = NAMES[name];
      const short = name.replace("next", "").toLowerCase();
      const cells = bits.map((at) => {
        if (value === undefined) return `<td class="${gap(at)}">·</td>`;
        const one = (value >> at) & 1;
        const linked = name !== short ? "" : ` data-column="${at}" data-mask="${name}" data-key="${name}${at}" tabindex="-1"`;
        const said = t(`${short}, column ${n - at}: ${one}`, `${short}，第 ${n - at} 列：${one}`);
        return `<td class="bit${gap(at)}${one ? ` one one-${name}` : ""}"${linked} aria-label="${said}">${one}</td>`;
      });
      return `<tr class="row-${name}" data-row="${name}"><th scope="row"><b>${short}</b> <small>${t(en, zh)}</small></th>${cells.join("")}</tr>`;
    };
    const entries = Object.entries(rows);
    const group = (part, caption) => `<tbody>${caption}${part.map(line).join("")}</tbody>`;
    const nextRow = `<tr class="between"><th scope="rowgroup" colspan="${n + 1}">${t("the next row gets", "下一行得到")}</th></tr>`;
    draw($("#masks"), `<table class="masks own-keys"><thead><tr><th>${t("column", "列")}</th>${head}</tr></thead>${group(entries.slice(0, 5), "")}${group(entries.slice(5), state.solved ? "" : nextRow)}</table>`);
    const first = $("#masks [data-key]:focus") ?? $("#masks [data-key]");
    if (first) first.tabIndex = 0;
  }

  // Marks a column of the current row wherever it is shown, and says what it is.
  function showSpot() {
    for (const element of $$(".spot", root)) element.classList.remove("spot");
    let text = "";
    if (spot && state.queens.length < state.n) {
      const { bit, mask } = spot;
      for (const element of $$(`[data-column="${bit}"]`, root)) element.classList.add("spot");
      const shown = MASK_NAMES.filter((name) => !mask || mask === name || !(mask in MASKS));
      for (const name of shown) for (const ray of $$(`#queens [data-ray="${name}${bit}"]`)) ray.classList.add("spot");
      const on = MASK_NAMES.filter((name) => (state[name] >> bit) & 1).join(t(" and ", "、"));
      text = t(`Column ${column(bit)}: `, `第 ${column(bit)} 列：`);
      if (on) text += t(`attacked, in ${on}.`, `受攻击：${on}。`);
      else if ((state.open >> bit) & 1) text += state.queen >> bit === 1 ? t("the lowest free bit.", "最低空位。") : t("free.", "空位。");
      else text += t("tried already.", "已试过。");
    }
    $("#spot").textContent = text;
    $("#spot").hidden = !text;
    $("#spot-hint").hidden = Boolean(text);
  }
  function pointAt(event) {
    const found = event.target.closest?.("[data-column]");
    spot = found ? { bit: Number(found.dataset.column), mask: found.dataset.mask } : null;
    showSpot();
  }

  // The same function in four languages; a line's role says when it is the next to run.
  const LANGUAGES = $$("[data-code]").map((template) => template.dataset.code);
  function code() {
    const chosen = view.params.code;
    draw($("#code"), $(`[data-code="${chosen}"]`).innerHTML);
    for (const line of $$("#code [data-role]")) setCurrent(line, line.dataset.role === state.role && "step");
    draw(
      $("#languages"),
      LANGUAGES.map((name) => `<button type="button" role="tab" id="tab-${name}" data-key="${name}" aria-controls="code" aria-selected="${name === chosen}" tabindex="${name === chosen ? 0 : -1}">${name}</button>`).join(""),
    );
    $("#code").setAttribute("aria-labelledby", `tab-${chosen}`);
  }

  function depths() {
    const most = Math.max(...run.total);
    const label = t("Calls for each row", "各行的调用次数");
    const rows = run.total.map((total, depth) => {
      const y = depth * 22;
      const done = state.calls[depth];
      const name = depth === run.n ? t("full", "已满") : depth + 1;
      const width = (value) => ((value / most) * 360).toFixed(1);
      return `<text class="tick" x="36" y="${y + 15}">${name}</text><rect class="all" x="44" y="${y + 3}" width="${width(total)}" height="15"/><rect class="done" x="44" y="${y + 3}" width="${width(done)}" height="15"/><text class="value" x="${52 + Number(width(total))}" y="${y + 15}">${done} / ${total}</text>`;
    });
    draw($("#depths"), svg(560, run.total.length * 22 + 4, label, rows.join("")));
  }

  function show(k) {
    state = stateAt(run, k);
    board();
    numbers();
    code();
    depths();
    showSpot();
    const figure = run.n === 8 && state.queens.map(column).join() === "1,5,8";
    $("#misprint").hidden = !figure;
    const [solutions, deadEnds] = [upTo(run.solutions, k), upTo(run.deadEnds, k)];
    const calls = state.calls.reduce((sum, one) => sum + one);
    $(".progress", root).textContent += t(` · calls: ${calls} · solutions: ${solutions} · dead ends: ${deadEnds}`, ` · 调用：${calls} · 解：${solutions} · 死路：${deadEnds}`);
    return sentence();
  }

  const after = (steps) => (k) => steps()[upTo(steps(), k)];
  view.player = new Player("backtracking", show, [
    ["solution", "Next solution", "下一个解", after(() => run.solutions)],
    ["deadEnd", "Next dead end", "下一条死路", after(() => run.deadEnds)],
  ]);

  // The step at which these columns were placed, or undefined if the search never does that.
  function findStep(columns) {
    const wanted = columns.map((one) => run.n - one);
    const queens = [];
    for (let k = 0; k < run.words.length; k++) {
      const word = run.words[k];
      if (word & REMOVED) queens.pop();
      else {
        queens.push(word & 31);
        if (queens.length === wanted.length && wanted.every((bit, row) => bit === queens[row])) return k + 1;
      }
    }
  }

  // A board as it was given: which of its queens attack each other.
  function showBoard(n, columns) {
    const found = [];
    const attacked = columns.map(() => false);
    let lines = "";
    columns.forEach((b, later) =>
      columns.slice(0, later).forEach((a, earlier) => {
        if (a !== b && Math.abs(a - b) !== later - earlier) return;
        attacked[earlier] = attacked[later] = true;
        lines += `<path class="attack" d="M${a * 40 - 20} ${earlier * 40 + 20}L${b * 40 - 20} ${later * 40 + 20}"/>`;
        found.push(t(`row ${earlier + 1}, column ${a} and row ${later + 1}, column ${b}`, `第 ${earlier + 1} 行第 ${a} 列与第 ${later + 1} 行第 ${b} 列`));
      }),
    );
    const shown = (between) => found.slice(0, 4).concat(found.length > 4 ? "…" : []).join(between);
    const text = found.length
      ? t(`These queens attack each other: ${shown("; ")}.`, `以下皇后互相攻击：${shown("；")}。`)
      : t("No two of these queens attack each other.", "这些皇后互不攻击。");
    $(".now", root).textContent = text;
    const marks = columns.map((one, row) => (attacked[row] ? `<circle class="attacked" cx="${one * 40 - 20}" cy="${row * 40 + 20}" r="17"/>` : "") + queen(row, one - 1, attacked[row] ? "bad" : ""));
    draw($("#queens"), frame(n, squares(n) + lines + marks.join(""), text));
  }

  view.open = () => {
    const columns = (view.params.queens.match(/\d+/g) ?? []).map(Number);
    let n = read(view, "n", 1, 32);
    if (columns.length > n || columns.some((one) => one < 1 || one > n)) columns.length = 0;
    if (columns.length === 0 || n < 4) n = clamp(n, 4, 12);
    const searchable = n <= 12;
    if (searchable && run?.n !== n) run = record(n);
    const step = searchable && columns.length ? findStep(columns) : undefined;
    const given = columns.length > 0 && step === undefined;
    for (const element of $$("#v-backtracking .player, #v-backtracking .searching, #key")) element.hidden = given;
    $("[data-do=search]").hidden = !given;
    Object.assign(view.params, { n: String(n), queens: columns.join() });
    if (!LANGUAGES.includes(view.params.code)) view.params.code = "C";
    showControls("backtracking", { n: Math.min(n, 12) });
    spot = null;
    if (given) {
      view.player.stop();
      showBoard(n, columns);
    } else view.player.load(run.words.length, step ?? stepOf(view, run.words.length, 3));
  };

  const restart = (n, queens = "") => change("backtracking", { n, queens });
  $("select", root).innerHTML = options(range(9).map((i) => i + 4));
  bindControls("backtracking", (_, value) => restart(value));
  $("[data-do=figure]").addEventListener("click", () => restart("8", "1,5,8"));
  $("[data-do=search]").addEventListener("click", () => restart(String(Math.min(view.params.n, 12))));
  // Puts the next queen on a free square, as the search does at some step.
  function place(target) {
    const bit = target.closest("[data-column]")?.dataset.column;
    const step = bit && findStep([...state.queens, bit].map(column));
    if (step) view.player.go(step);
  }
  root.addEventListener("click", (event) => place(event.target));
  for (const name of ["pointerover", "focusin", "pointerleave"]) $(".columns", root).addEventListener(name, pointAt);

  const choose = (name) => {
    view.params.code = name;
    code();
    saveAddress();
  };
  $("#languages").addEventListener("click", (event) => event.target.dataset.key && choose(event.target.dataset.key));
  $("#languages").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: LANGUAGES.length - 1 }[event.key];
    if (!step) return;
    choose(LANGUAGES[(LANGUAGES.indexOf(view.params.code) + step) % LANGUAGES.length]);
    $("#languages [aria-selected=true]").focus();
  });
  // The table of bits is one stop of the tab key; arrows move in it.
  $("#masks").addEventListener("keydown", (event) => {
    if (event.key === "Enter") place(event.target);
    const cell = event.target.closest("[data-key]");
    const row = cell?.parentElement;
    const sideways = { ArrowLeft: "previousElementSibling", ArrowRight: "nextElementSibling" }[event.key];
    const upDown = { ArrowUp: "previousElementSibling", ArrowDown: "nextElementSibling" }[event.key];
    const next = sideways ? cell?.[sideways] : upDown && $(`[data-column="${cell?.dataset.column}"]`, row?.[upDown] ?? row);
    if (!next?.dataset?.key) return;
    event.preventDefault();
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}
