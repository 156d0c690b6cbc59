// Simulated annealing, proposal by proposal.
{
  const view = register("annealing", { n: "6", start: "2", cooling: "0.95", final: "0.05", seed: "0", step: "" });
  const SWEEPS = 100;
  const SEEDS = 20;
  const STARTS = [0.1, 0.3, 0.5, 1, 2, 4];
  const COOLINGS = [0.3, 0.5, 0.7, 0.8, 0.9, 0.98];
  let run = null;

  // One proposal a step. `sweeps[k]` is the sweep that step k belongs to.
  function record({ n, start, cooling, final, seed }) {
    const words = list("annealing", n, start, cooling, final, SWEEPS, seed);
    const doubles = new DataView(words.buffer);
    const columns = [...words.subarray(1, n + 1)];
    const run = { n, steps: [], energy: [words[0]], temperature: [], rate: [], boards: [columns.slice()] };
    let sweep = [];
    let at = n + 1;
    while (at < words.length) {
      const word = words[at];
      if (word >>> 30 === 1) {
        const [a, b] = [word & 1023, (word >> 10) & 1023];
        const step = { a, b, change: ((word >> 20) & 15) - 4, accepted: Boolean(word & (1 << 24)), u: words[at + 1] / 2 ** 32 };
        if (step.accepted) [columns[a], columns[b]] = [columns[b], columns[a]];
        run.steps.push(step);
        run.boards.push(columns.slice());
        sweep.push(step);
        run.energy.push(run.energy.at(-1) + (step.accepted ? step.change : 0));
        at += 2;
      } else {
        // The temperature of a sweep is told after its proposals.
        const temperature = doubles.getFloat64(4 * (at + 1), true);
        const rate = sweep.filter((step) => step.accepted).length / Math.max(1, sweep.length);
        for (const _ of sweep) {
          run.temperature.push(temperature);
          run.rate.push(rate);
        }
        sweep = [];
        at += 3;
      }
    }
    // The state before the first proposal.
    run.temperature.unshift(run.temperature[0] ?? start);
    run.rate.unshift(run.rate[0] ?? 0);
    run.solved = run.energy.at(-1) === 0;
    return run;
  }

  // u and exp(-Δ/T) on a ruler from 0 to 1.
  function decision(k) {
    const step = run.steps[k - 1];
    if (!step) {
      return draw($("#decision"), `<p class="rule-text">${t("A random board.", "随机棋盘。")}</p>`);
    }
    const temperature = run.temperature[k];
    const chance = step.change > 0 ? Math.exp(-step.change / temperature) : 1;
    const delta = step.change > 0 ? `+${step.change}` : `${step.change}`.replace("-", "−");
    const answer = step.accepted ? `<b class="ok">✓ ${t("accepted", "接受")}</b>` : `<b class="bad">✗ ${t("rejected", "拒绝")}</b>`;
    const rows = t(`Swap rows ${step.a + 1} and ${step.b + 1}: Δ = ${delta}.`, `交换第 ${step.a + 1} 行与第 ${step.b + 1} 行：Δ = ${delta}。`);
    const text =
      step.change > 0
        ? `<span class="math">u = ${step.u.toFixed(4)} ${step.accepted ? "&lt;" : "≥"} exp(−${step.change} / ${temperature.toFixed(3)}) = ${chance.toFixed(4)}</span>`
        : t("Not uphill: always accepted.", "能量没有增加：总是接受。");
    const ruler =
      `<svg viewBox="0 0 560 34" role="img" aria-label="u, exp(−Δ/T)"><rect class="track" x="10" y="10" width="540" height="12" rx="6"/>` +
      `<rect class="chance" x="10" y="10" width="${(540 * chance).toFixed(1)}" height="12" rx="6"/>` +
      (step.change > 0 ? `<circle class="${step.accepted ? "ok" : "bad"}" cx="${(10 + 540 * step.u).toFixed(1)}" cy="16" r="8"/>` : "") +
      `</svg>`;
    draw($("#decision"), `<p class="rule-text">${rows} ${text} ${answer}</p>${ruler}`);
  }

  function show(k) {
    const step = run.steps[k - 1];
    const energy = run.energy[k];
    const columns = run.boards[k];
    const state = t(`Energy ${energy}, temperature ${run.temperature[k].toFixed(3)}.`, `能量 ${energy}，温度 ${run.temperature[k].toFixed(3)}。`);
    const end = k < run.steps.length ? "" : run.solved ? t(" Solved.", " 已解出。") : t(` Not solved in ${SWEEPS} sweeps.`, ` ${SWEEPS} 轮内未解出。`);
    decision(k);
    draw($("#annealing-board"), plainBoard(run.n, columns, diagonals(columns, run.n).attacked, step && [step.a, step.b], state));
    moveCursor($("#annealing-plots"), k, run.steps.length);
    return state + end;
  }

  function plots() {
    const length = run.steps.length;
    const label = t(`${length} proposals`, `${length} 次提议`);
    const tops = { temperature: Math.max(...run.temperature), energy: Math.max(...run.energy), rate: 1 };
    for (const element of $$("#annealing-plots [data-plot]")) {
      const name = element.dataset.plot;
      draw(element, plot({ height: 130, length, top: tops[name], lines: [[name, run[name]]], label }));
    }
  }

  // How many of twenty seeds are solved, for each start temperature and cooling: a row at a time, so that the page answers.
  let gridDue = 0;
  let gridFor = "";
  function grid({ n, final }) {
    const key = `${n} ${final}`;
    const mark = () => {
      for (const cell of $$("#grid button")) setCurrent(cell, cell.dataset.key === `${view.params.start}/${view.params.cooling}`);
    };
    if (gridFor === key + chinese) return mark();
    clearTimeout(gridDue);
    const rows = [];
    const next = () => {
      const start = STARTS[rows.length];
      const cells = COOLINGS.map((cooling) => {
        const solved = range(SEEDS).filter((seed) => wasm.sweeps_to_solve(n, start, cooling, Math.min(start, final), SWEEPS, seed) >= 0).length;
        const label = t(`start ${start}, cooling ${cooling}: ${solved} of ${SEEDS} solved`, `初始 ${start}，冷却 ${cooling}：${SEEDS} 次中解出 ${solved} 次`);
        return `<td><button type="button" class="level-${Math.round(solved / 4)}" data-key="${start}/${cooling}" aria-label="${label}">${solved}</button></td>`;
      });
      rows.push(`<tr><th scope="row">${start}</th>${cells.join("")}</tr>`);
      if (rows.length < STARTS.length) gridDue = setTimeout(next);
      else {
        gridFor = key + chinese;
        const head = COOLINGS.map((cooling) => `<th scope="col">${cooling}</th>`).join("");
        draw($("#grid"), `<table class="grid"><thead><tr><th>${t("start ↓ cooling →", "初始 ↓ 冷却 →")}</th>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`);
        mark();
      }
    };
    gridDue = setTimeout(next, 250);
  }

  view.player = new Player("annealing", show, [
    ["uphill", "Next uphill proposal", "下一次使能量上升的提议", (k) => nextUphill(k)],
  ]);
  const nextUphill = (k) => {
    const at = run.steps.findIndex((step, i) => i >= k && step.change > 0);
    return at < 0 ? undefined : at + 1;
  };
  view.player.speed = 5;
  view.open = () => {
    const values = { n: read(view, "n", 4, 64), seed: read(view, "seed", 0, 99) };
    for (const [name, low, high] of [["start", 0.05, 4], ["cooling", 0.3, 0.99], ["final", 0.05, 1]]) values[name] = read(view, name, low, high, Number);
    run = record({ ...values, final: Math.min(values.start, values.final) });
    showControls("annealing");
    plots();
    grid(values);
    view.player.load(run.steps.length, stepOf(view, run.steps.length, nextUphill(0) ?? 0));
  };
  bindControls("annealing", (name, value) => change("annealing", { [name]: value, step: name === "n" ? "" : view.params.step }));
  $("#grid").addEventListener("click", (event) => {
    const [start, cooling] = event.target.dataset.key?.split("/") ?? [];
    if (start) change("annealing", { start, cooling });
  });
  seekOnPress($("#annealing-plots"), view.player);
}
