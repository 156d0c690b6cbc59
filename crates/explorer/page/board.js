// Boards, and plots over steps, as SVG. Squares are 40 units wide.
const CROWN = "M5 13l8 7 4-13 3 11 3-11 4 13 8-7-4 16H9zM9 31h22v4H9z";
const darkSquares = (n) =>
  range(n * n)
    .filter((i) => ((i % n) + Math.floor(i / n)) % 2)
    .map((i) => `M${(i % n) * 40} ${Math.floor(i / n) * 40}h40v40h-40z`)
    .join("");

function svg(width, height, label, content) {
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${content}</svg>`;
}
const queen = (row, column, name = "") =>
  `<path class="queen ${name}" d="${CROWN}" transform="translate(${column * 40} ${row * 40})"/>`;
const squares = (n) => `<rect class="light" width="${n * 40}" height="${n * 40}"/><path class="dark" d="${darkSquares(n)}"/>`;

// Numbers of columns above and of rows beside a board.
function frame(n, content, label, current = -1) {
  const step = n > 24 ? 4 : 1;
  const size = Math.max(14, n * 1.1);
  const edge = range(n)
    .filter((i) => i % step === 0)
    .map((i) => {
      const text = (x, y, name) => `<text class="edge ${name}" font-size="${size}" x="${x}" y="${y}">${i + 1}</text>`;
      return text(i * 40 + 20, -8, "") + text(-size, i * 40 + 20 + size / 3, i === current ? "strong" : "");
    })
    .join("");
  const margin = size * 2;
  const side = n * 40 + margin + 4;
  return `<svg viewBox="${-margin} ${-margin} ${side} ${side}" role="img" aria-label="${label}">${content}${edge}</svg>`;
}

// Which rows' queens share a diagonal, and the number of queens on each diagonal.
function diagonals(columns, n) {
  const falling = new Array(2 * n - 1).fill(0);
  const rising = new Array(2 * n - 1).fill(0);
  columns.forEach((column, row) => {
    falling[row - column + n - 1]++;
    rising[row + column]++;
  });
  const attacked = columns.map((column, row) => falling[row - column + n - 1] > 1 || rising[row + column] > 1);
  return { falling, rising, attacked };
}

// A board with a queen in each row so far; `pair` are the rows of an exchange.
function plainBoard(n, columns, attacked, pair, label) {
  const mark = (row) =>
    attacked[row] ? `<circle class="attacked" cx="${columns[row] * 40 + 20}" cy="${row * 40 + 20}" r="17"/>` : "";
  const [a, b] = pair ?? [];
  const exchange = pair
    ? [a, b].map((row) => `<rect class="pair" x="${columns[row] * 40 + 2}" y="${row * 40 + 2}" width="36" height="36"/>`).join("") +
      `<path class="arc" d="M${columns[b] * 40 + 20} ${a * 40 + 20}L${columns[a] * 40 + 20} ${a * 40 + 20}M${columns[a] * 40 + 20} ${b * 40 + 20}L${columns[b] * 40 + 20} ${b * 40 + 20}"/>`
    : "";
  const queens = columns.map((column, row) => mark(row) + queen(row, column, attacked[row] ? "bad" : "")).join("");
  return frame(n, squares(n) + exchange + queens, label);
}

// A plot of values over steps, with lines `[name, values]`; a cursor is set by `moveCursor`.
const PLOT = { width: 560, left: 46, right: 8 };
const plotX = (k, length) => PLOT.left + (k / Math.max(1, length)) * (PLOT.width - PLOT.left - PLOT.right);
function plot({ height, length, top, lines, label, marks = [] }) {
  const y = (value) => 12 + (1 - value / (top || 1)) * (height - 24);
  const stride = Math.ceil(length / 3000);
  const path = ([name, values]) => {
    let d = "";
    let pen = "M";
    for (let k = 0; k <= length; k = k < length ? Math.min(length, k + stride) : Infinity) {
      if (values[k] === undefined) pen = "M";
      else {
        d += `${pen}${plotX(k, length).toFixed(1)} ${y(values[k]).toFixed(1)}`;
        pen = "L";
      }
    }
    return `<path class="line ${name}" d="${d}"/>`;
  };
  const ticks = [0, top / 2, top]
    .map(
      (value) =>
        `<line class="rule" x1="${PLOT.left}" x2="${PLOT.width - PLOT.right}" y1="${y(value)}" y2="${y(value)}"/>` +
        `<text class="tick" x="${PLOT.left - 6}" y="${y(value) + 4}">${Number(value.toFixed(2))}</text>`,
    )
    .join("");
  const starts = marks.map((k) => `<line class="start" x1="${plotX(k, length)}" x2="${plotX(k, length)}" y1="12" y2="${height - 12}"/>`).join("");
  const cursor = `<line class="cursor" y1="4" y2="${height - 4}"/>`;
  return `<svg class="plot" viewBox="0 0 ${PLOT.width} ${height}" role="img" aria-label="${label}">${ticks}${starts}${lines.map(path).join("")}${cursor}</svg>`;
}
function moveCursor(root, k, length) {
  for (const line of $$(".cursor", root)) {
    line.setAttribute("x1", plotX(k, length));
    line.setAttribute("x2", plotX(k, length));
  }
}
// A press on a plot goes to its step; the slider does the same for the keyboard.
function seekOnPress(root, player) {
  const seek = (event) => {
    const figure = event.target.closest?.(".plot");
    if (!figure || !(event.buttons & 1)) return;
    const box = figure.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * PLOT.width;
    player.go(Math.round(((x - PLOT.left) / (PLOT.width - PLOT.left - PLOT.right)) * player.length));
  };
  root.addEventListener("pointerdown", seek);
  root.addEventListener("pointermove", seek);
}
