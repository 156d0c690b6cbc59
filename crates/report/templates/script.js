(() => {
  const root = document.documentElement;
  const body = document.querySelector("#matrix tbody");
  const rest = document.getElementById("rest");
  const rows = [...body.rows, ...(rest ? document.adoptNode(rest.content).children : [])];
  rest?.remove();
  // The rows that fit the filter. So many of them are drawn, and more when somebody scrolls that far: a browser takes seconds for thousands.
  let matching = rows;
  let drawn = 500;
  const draw = () => body.replaceChildren(...matching.slice(0, drawn));
  const region = body.closest(".scroll");
  region.addEventListener("scroll", () => {
    if (drawn >= matching.length || region.scrollTop + 2 * region.clientHeight < region.scrollHeight) return;
    body.append(...matching.slice(drawn, drawn += 500));
  });
  const input = document.getElementById("filter");
  const count = document.getElementById("count");
  const nobody = document.getElementById("nobody");
  const state = new URLSearchParams(location.hash.slice(1));

  const keep = () => {
    for (const key of [...state.keys()]) if (!state.get(key)) state.delete(key);
    history.replaceState(null, "", "#" + state);
  };

  // One word of the filter: `verdict:TLE`, `problem:count`, `flag:`, `near:`, `late:`, `corrected:`, `changed:`, or a part of a name.
  const fits = (row, words) => {
    const tokens = row.dataset.tokens.split(" ").filter(Boolean);
    const problem = words.find(word => word.startsWith("problem:"))?.slice(8);
    const cells = tokens.filter(token => token.includes("=") && (!problem || token.split("=")[0].startsWith(problem)));
    return words.every(word => {
      const [key, value] = word.includes(":") ? word.split(/:(.*)/s) : ["", word];
      if (key === "verdict") return cells.some(cell => cell.split("=")[1].split(",").includes(value.toUpperCase()));
      if (key === "problem") return cells.length > 0;
      if (["flag", "near", "late", "corrected", "changed"].includes(key)) return tokens.includes(key);
      return row.cells[0].textContent.toLowerCase().includes(word.toLowerCase());
    });
  };

  const filter = () => {
    const words = input.value.split(/\s+/).filter(Boolean);
    matching = rows.filter(row => fits(row, words));
    drawn = 500;
    draw();
    const shown = matching.length;
    count.textContent = count.dataset.text.replace("#", shown).replace("#", rows.length);
    nobody.hidden = shown > 0;
    // The means are those of everybody.
    body.parentElement.tFoot.hidden = shown < rows.length;
    for (const button of document.querySelectorAll("[data-filter]")) {
      button.setAttribute("aria-pressed", words.includes(button.dataset.filter));
    }
  };
  input.addEventListener("input", () => { filter(); state.set("filter", input.value.trim()); keep(); });
  const write = words => {
    input.value = words.join(" ");
    input.dispatchEvent(new Event("input"));
  };
  nobody.querySelector("button").addEventListener("click", () => { write([]); input.focus(); });
  const codes = rows.flatMap(row => [...row.dataset.tokens.matchAll(/=(\S+)/g)].flatMap(([, codes]) => codes.split(",")));
  for (const code of [...new Set(codes)].sort()) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: code });
    button.dataset.filter = "verdict:" + code;
    document.getElementById("verdicts").append(button);
  }
  for (const button of document.querySelectorAll("[data-filter]")) {
    button.hidden = !rows.some(row => fits(row, [button.dataset.filter]));
    button.addEventListener("click", () => {
      const words = input.value.split(/\s+/).filter(Boolean);
      const word = button.dataset.filter;
      // One verdict and one problem at a time.
      const others = words.filter(it => it.split(":")[0] !== word.split(":")[0]);
      write(words.includes(word) ? others : [...others, word]);
    });
  }

  const heads = [...document.querySelectorAll("#matrix th[data-column]")];
  const sort = (column, falling) => {
    const head = heads[column];
    if (!head) return;
    const order = new Intl.Collator(root.lang, { numeric: true });
    const text = row => row.cells[column].dataset.sort ?? row.cells[column].textContent.trim();
    const number = row => { const value = parseFloat(text(row)); return Number.isNaN(value) ? -1 : value; };
    const compare = column === 0 ? (a, b) => order.compare(text(a), text(b)) : (a, b) => number(a) - number(b);
    rows.sort((a, b) => falling ? compare(b, a) : compare(a, b));
    const fit = new Set(matching);
    matching = rows.filter(row => fit.has(row));
    draw();
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", falling ? "descending" : "ascending");
  };
  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
    const falling = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") === "ascending" : column > 0;
    sort(column, falling);
    state.set("sort", (falling ? "-" : "") + column);
    keep();
  }));

  // Of the switches in a single file, the last one holds.
  const paint = () => {
    for (const radio of document.querySelectorAll("[name=theme]")) radio.checked = radio.value === (state.get("theme") ?? "");
  };
  document.addEventListener("change", event => {
    if (event.target.name === "theme") { state.set("theme", event.target.value); keep(); }
  });
  document.addEventListener("keydown", event => {
    if (event.target.closest("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !document.querySelector("main").hidden) { event.preventDefault(); input.focus(); }
  });

  // The student whose row has the focus or the pointer stands out in the plots.
  const choose = row => {
    for (const line of document.querySelectorAll(".run.chosen")) line.classList.remove("chosen");
    if (row) for (const line of document.querySelectorAll(`.run[data-row="${row.dataset.row}"]`)) line.classList.add("chosen");
  };
  body.addEventListener("focusin", event => choose(event.target.closest("tr")));
  body.addEventListener("mouseover", event => choose(event.target.closest("tr")));
  // A line under the pointer names its student, and leads there.
  const owner = event => rows.find(row => row.dataset.row === event.target.closest?.(".run")?.dataset.row);
  for (const plot of document.querySelectorAll(".plot:has(.run)")) {
    const key = plot.parentElement.querySelector(".key");
    plot.addEventListener("mouseover", event => {
      const row = owner(event);
      choose(row);
      key.textContent = row ? row.cells[0].textContent : key.dataset.text;
    });
    plot.addEventListener("click", event => {
      const row = owner(event);
      if (row && !row.isConnected) body.append(row);
      row?.querySelector("a").click();
    });
  }

  // On paper nothing can be opened.
  let opened = [];
  addEventListener("beforeprint", () => {
    drawn = rows.length;
    draw();
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => opened.forEach(details => { details.open = false; }));

  // In a single file, the pages of students are packed in templates.
  const person = document.getElementById("person");
  const show = async () => {
    const packed = document.getElementById("page-" + state.get("page"));
    person.hidden = !packed;
    document.querySelector("main").hidden = Boolean(packed);
    if (!packed) {
      person.replaceChildren();
      return paint();
    }
    const bytes = Uint8Array.from(atob(packed.content.textContent), byte => byte.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const text = await new Response(stream).text();
    // Meanwhile another page may have been asked for.
    if (packed !== document.getElementById("page-" + state.get("page"))) return;
    person.innerHTML = text;
    paint();
    person.focus({ preventScroll: true });
    (document.getElementById(state.get("at")) ?? person).scrollIntoView();
  };
  if (person) {
    const go = (page, at) => {
      state.set("page", page);
      state.set("at", at);
      for (const key of ["page", "at"]) if (!state.get(key)) state.delete(key);
      location.hash = state;
    };
    document.addEventListener("click", event => {
      const href = event.target.closest("a")?.getAttribute("href");
      const link = /^(?:staff\/)?([^/#]+)\.html(?:#(.*))?$/.exec(href);
      if (!link && !href?.startsWith("#") && href !== "../index.html") return;
      event.preventDefault();
      if (link) go(link[1], link[2] ?? "");
      else if (href.startsWith("#")) go(state.get("page") ?? "", href.slice(1));
      else go("", "");
    });
    addEventListener("hashchange", () => {
      const now = new URLSearchParams(location.hash.slice(1));
      for (const key of ["page", "at"]) if (now.get(key)) state.set(key, now.get(key)); else state.delete(key);
      show();
    });
    show();
  }

  paint();
  input.value = state.get("filter") ?? "";
  const column = state.get("sort");
  if (column !== null) sort(Math.abs(parseInt(column, 10)) || 0, column.startsWith("-"));
  filter();
  document.querySelector(".controls").hidden = false;
})();
