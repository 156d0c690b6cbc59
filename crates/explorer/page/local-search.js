// The local searches of Sosic and Gu: QS1, QS2 and QS4.
{
  const view = register("local-search", { method: "1", n: "16", seed: "7", step: "" });
  let run = null;

  // What each step did. `columns` are those of a new board; a trial fills the first empty row.
  function record(method, n, seed) {
    const words = list("local_search", method, n, seed);
    const run = { n, method, steps: [], boards: [[]], collisions: [undefined], waiting: [method === 4 ? n : undefined], starts: [] };
    let columns = [];
    for (let at = 0; at < words.length; ) {
      const word = words[at++];
      const kind = word >>> 30;
      let collisions = run.collisions.at(-1);
      if (kind === 0) {
        columns = [...words.subarray(at, at + n)];
        run.steps.push({ kind: "board" });
        run.starts.push(run.steps.length);
        at += n;
        collisions = word;
      } else if (kind === 1) {
        const kept = Boolean(word & (1 << 20));
        // The first trial after a board that was given up.
        if (columns.length === n) columns = [];
        const column = word & 0xfffff;
        run.steps.push({ kind: "trial", row: columns.length, column, kept });
        if (kept) columns.push(column);
        collisions = undefined;
      } else {
        const [a, b] = [word & 1023, (word >> 10) & 1023];
        [columns[a], columns[b]] = [columns[b], columns[a]];
        run.steps.push({ kind: "swap", pair: [a, b] });
        collisions += ((word >> 20) & 15) - 4;
      }
      run.collisions.push(collisions);
      run.waiting.push(kind === 1 ? n - columns.length : undefined);
      run.boards.push(columns.slice());
    }
    return run;
  }

  function sentence(k) {
    const collisions = run.collisions[k];
    const step = run.steps[k - 1];
    const left = t(`${collisions} ${collisions === 1 ? "collision" : "collisions"}`, `${collisions} 处冲突`);
    if (!step) return t("An empty board.", "空棋盘。");
    if (step.kind === "trial") {
      const where = t(`Row ${step.row + 1} draws column ${step.column + 1}: `, `第 ${step.row + 1} 行抽到第 ${step.column + 1} 列：`);
      return where + (step.kept ? t("not attacked, so the queen stays.", "未被攻击，保留。") : t("attacked, so it draws again.", "被攻击，重新抽取。"));
    }
    if (step.kind === "board") {
      const number = run.starts.indexOf(k) + 1;
      const again = number > 1 ? t("No swap helped, so the search starts over. ", "再没有能减少冲突的交换，重新开始。") : "";
      const start = run.method === 4 ? t(`The last queens go anywhere: ${left}.`, `其余皇后任意放置：${left}。`) : t(`Random board ${number}: ${left}.`, `第 ${number} 个随机棋盘：${left}。`);
      return again + start;
    }
    const [a, b] = step.pair.map((row) => row + 1);
    return t(`Rows ${a} and ${b} swap columns: ${left}${collisions ? "." : ". Solved."}`, `第 ${a} 行与第 ${b} 行交换列：${left}${collisions ? "。" : "，已解出。"}`);
  }

  // How many queens stand on each diagonal; those beyond the first are collisions.
  function counters({ falling, rising }) {
    const strip = (counts, y, sign) => {
      const width = 500 / counts.length;
      const most = Math.max(3, ...falling, ...rising);
      const bars = counts.map((count, i) =>
        range(count)
          .map((level) => `<rect class="${level ? "beyond" : "one-on"}" x="${(46 + i * width).toFixed(1)}" y="${(y + 56 - ((level + 1) * 54) / most).toFixed(1)}" width="${(width * 0.8).toFixed(1)}" height="${(54 / most - 1.5).toFixed(1)}"/>`)
          .join(""),
      );
      const rule = y + 56 - 54 / most - 0.5;
      return `<text class="tick" x="36" y="${y + 40}">${sign}</text>${bars.join("")}<line class="rule" x1="46" x2="546" y1="${rule}" y2="${rule}"/>`;
    };
    const crowded = [...falling, ...rising].filter((count) => count > 1).length;
    const label = t(`${crowded} diagonals have more than one queen`, `${crowded} 条斜线上不止一个皇后`);
    draw($("#diagonals"), svg(560, 136, label, strip(falling, 2, "╲") + strip(rising, 74, "╱")));
  }

  function show(k) {
    const columns = run.boards[k];
    const found = diagonals(columns, run.n);
    const text = sentence(k);
    const step = run.steps[k - 1];
    const trial = step?.kind === "trial" && !step.kept ? `<path class="refused" d="M${step.column * 40 + 8} ${step.row * 40 + 8}l24 24m0 -24l-24 24"/>` : "";
    const board = plainBoard(run.n, columns, found.attacked, step?.pair, text);
    draw($("#local-board"), board.replace("</svg>", `${trial}</svg>`));
    counters(found);
    moveCursor($("#local-plot"), k, run.steps.length);
    return text;
  }

  view.player = new Player("local-search", show, [["swap", "Next swap", "下一次交换", (k) => nextSwap(k)]]);
  const nextSwap = (k) => {
    const at = run.steps.findIndex((step, i) => i >= k && step.kind === "swap");
    return at < 0 ? undefined : at + 1;
  };
  view.open = () => {
    const { params } = view;
    if (params.method === "3") params.method = "4";
    run = record(read(view, "method", 1, 4), read(view, "n", 4, 64), read(view, "seed", 0, 4294967295));
    showControls("local-search");
    for (const note of $$("#method-note p")) note.hidden = note.dataset.method !== params.method;
    const top = Math.max(2, ...[...run.collisions, ...run.waiting].filter((one) => one !== undefined));
    const label = t(`Collisions over ${run.steps.length} steps, down to 0`, `${run.steps.length} 步中的冲突数，最终为 0`);
    const lines = [["waiting", run.waiting], ["energy", run.collisions]];
    draw($("#local-plot"), plot({ height: 220, length: run.steps.length, top, lines, label, marks: run.starts }));
    const first = run.starts[0] ?? 0;
    view.player.load(run.steps.length, stepOf(view, run.steps.length, first));
  };
  bindControls("local-search");
  seekOnPress($("#local-plot"), view.player);
}
