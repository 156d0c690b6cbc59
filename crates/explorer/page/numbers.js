// The number of solutions, operations on bits, and the Gray code with the tower of Hanoi.
{
  const view = register("counts", {});
  const published = $("#counts-data")
    .textContent.trim()
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .map((line) => line.split(" "));
  const live = {};
  const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  function table() {
    const rows = published.map(([n, fundamental, all], i) => {
      const before = Number(published[i - 1]?.[2] ?? 0);
      const ratio = before ? (Number(all) / before).toFixed(2) : "–";
      const counted = live[n] === undefined ? "" : String(live[n]) === all ? "✓" : `✗ ${live[n]}`;
      return `<tr><th scope="row">${n}</th><td>${grouped(all)}</td><td>${ratio}</td><td>${counted}</td><td class="second">${grouped(fundamental)}</td></tr>`;
    });
    draw($("#counts-table tbody"), rows.join(""));
  }
  view.open = () => {
    table();
    const next = (n) => {
      if (n > 12 || !wasm) return;
      live[n] ??= wasm.count(n);
      table();
      setTimeout(next, 0, n + 1);
    };
    setTimeout(next, 0, 1);
  };
}
{
  const view = register("bits", { x: "60", y: "13", shift: "2" });
  // Eight bits; those of `marked` stand out. Bits of x and y are buttons.
  function line(name, value, { marked = 0, edit = "", wide = true } = {}) {
    const cells = range(8)
      .reverse()
      .map((at) => {
        const one = (value >> at) & 1;
        const content = edit ? `<button type="button" data-key="${edit}${at}" data-edit="${edit}" data-bit="${at}" aria-pressed="${one === 1}" aria-label="${one}, ${edit} ${t("bit", "位")} ${at}">${one}</button>` : one;
        return `<td class="bit${at === 3 ? " gap" : ""}${one ? " one" : ""}${(marked >> at) & 1 ? " marked" : ""}">${content}</td>`;
      });
    const beyond = value > 255 ? `<small> ${t("beyond 8 bits", "超出 8 位")}</small>` : "";
    return `<tr data-line="${name}"><th scope="row"><code>${escape(name)}</code></th>${cells.join("")}<td class="value">${String(value).replace("-", "−")}${beyond}</td></tr>`;
  }
  const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const table = (lines) => `<table class="masks bits"><tbody>${lines.join("")}</tbody></table>`;
  view.open = () => {
    const [x, y, shift] = [read(view, "x", 0, 255), read(view, "y", 0, 255), read(view, "shift", 0, 8)];
    showControls("bits");
    draw(
      $("#operators"),
      table([
        line("x", x, { edit: "x" }),
        line("y", y, { edit: "y" }),
        line("x & y", x & y),
        line("x | y", x | y),
        line("x ^ y", x ^ y),
        line("~x", ~x),
        line(`x << ${shift}`, x << shift),
        line(`x >> ${shift}`, x >> shift),
      ]),
    );
    const lowest = x & -x;
    draw(
      $("#lowest"),
      table([
        line("x", x, { marked: lowest }),
        line("~x", ~x, { marked: lowest }),
        line("-x", -x, { marked: lowest }),
        line("x & -x", lowest, { marked: lowest }),
        line("x-1", x - 1, { marked: lowest }),
        line("x & (x-1)", x & (x - 1), { marked: lowest }),
      ]),
    );
  };
  bindControls("bits");
  $("#operators").addEventListener("click", (event) => {
    const { edit, bit } = event.target.dataset;
    if (edit) change("bits", { [edit]: String(view.params[edit] ^ (1 << bit)) });
  });
}
{
  const view = register("gray", { n: "4", step: "" });
  let n = 4;
  const bits = (value) => value.toString(2).padStart(n, "0");
  function show(k) {
    const code = wasm.gray(k);
    const changed = k > 0 ? Math.log2(code ^ wasm.gray(k - 1)) : -1;
    const pegs = list("hanoi", n, k);
    const text =
      k === 0
        ? t("All bits are 0, and all discs are on peg 1.", "各位都是 0，所有圆盘都在 1 号柱。")
        : t(`Move ${k}: bit ${changed} changes, so disc ${changed + 1} goes to peg ${pegs[changed]}.`, `第 ${k} 步：第 ${changed} 位改变，圆盘 ${changed + 1} 移到 ${pegs[changed]} 号柱。`);
    const count = 1 << n;
    const size = Math.min(40, 960 / count);
    const cells = range(count).map((i) => {
      const value = wasm.gray(i);
      return range(n)
        .filter((bit) => (value >> bit) & 1)
        .map((bit) => `<rect class="code${i === k && bit === changed ? " changed" : ""}" x="${i * size}" y="${(n - 1 - bit) * 24}" width="${size}" height="24"/>`)
        .join("");
    });
    const off = changed >= 0 && !((code >> changed) & 1) ? `<rect class="changed-off" x="${k * size + 1}" y="${(n - 1 - changed) * 24 + 1}" width="${size - 2}" height="22"/>` : "";
    const label = t(`The codes 0 to ${count - 1} as columns of ${n} bits; column ${k} is marked`, `第 0 到 ${count - 1} 个码，每列 ${n} 位；标出第 ${k} 列`);
    const names = range(n).map((bit) => `<text class="tick" x="-8" y="${(n - bit) * 24 - 8}">${t("bit", "位")} ${bit}</text>`).join("");
    draw($("#codes"), svg(count * size + 52, n * 24 + 10, label, `<g transform="translate(52)">${names}<rect class="paper" width="${count * size}" height="${n * 24}"/>${cells.join("")}${off}<rect class="cursor-box" x="${k * size}" y="0" width="${size}" height="${n * 24}"/><path class="pointer" d="M${(k + 0.5) * size - 6} ${n * 24 + 9}l6 -7l6 7z"/></g>`));
    const row = (name, value, mark) =>
      `<tr><th scope="row"><code>${name}</code></th>${[...bits(value)].map((one, i) => `<td class="bit${one === "1" ? " one" : ""}${n - 1 - i === mark ? " marked" : ""}">${one}</td>`).join("")}</tr>`;
    draw($("#formula"), `<table class="masks bits"><tbody>${row("k", k)}${row("k &gt;&gt; 1", k >> 1)}${row("k ^ (k &gt;&gt; 1)", code, changed)}${row("k &amp; -k", k & -k, changed)}</tbody></table>`);
    const discs = range(3).map((peg) =>
      [...pegs.keys()]
        .reverse()
        .filter((disc) => pegs[disc] === peg + 1)
        .map((disc, height) => {
          const width = 30 + disc * 20;
          return `<rect class="disc${disc === changed ? " moved" : ""}" x="${100 + peg * 190 - width / 2}" y="${160 - height * 20}" width="${width}" height="18" rx="6"/><text class="disc-name" x="${100 + peg * 190}" y="${173 - height * 20}">${disc + 1}</text>`;
        })
        .join(""),
    );
    const stands = range(3).map((peg) => `<rect class="stand" x="${97 + peg * 190}" y="40" width="6" height="140"/><text class="edge" x="${100 + peg * 190}" y="202" font-size="14">${peg + 1}</text>`);
    draw($("#tower"), svg(580, 210, text, `<rect class="stand" x="10" y="178" width="560" height="6"/>${stands.join("")}${discs.join("")}`));
    return text;
  }
  view.player = new Player("gray", show);
  view.open = () => {
    n = read(view, "n", 1, 7);
    showControls("gray");
    view.player.load((1 << n) - 1, stepOf(view, (1 << n) - 1, 1));
  };
  $("#v-gray select").innerHTML = options(range(7).map((i) => i + 1));
  bindControls("gray");
}
