// Steps forward and back through a search, and plays it.
class Player {
  // `jumps` are buttons `[name, en, zh, next]`, where `next(k)` is the step to go to, or undefined.
  constructor(name, show, jumps = []) {
    this.view = views[name];
    this.root = $(`#v-${name} .player`);
    this.now = $(`#v-${name} .now`);
    this.show = show;
    this.length = 0;
    this.k = 0;
    this.speed = 4;
    this.timer = 0;
    this.root.append($("#player").content.cloneNode(true));
    for (const [what, en, zh] of jumps)
      $(".buttons", this.root).insertAdjacentHTML("beforeend", `<button type="button" data-go="${what}"><span lang="en">${en}</span><span lang="zh">${zh}</span></button>`);
    this.moves = {
      first: () => 0,
      back: (k) => k - 1,
      forward: (k) => k + 1,
      last: () => this.length,
      ...Object.fromEntries(jumps.map(([what, , , next]) => [what, next])),
    };
    this.slider = $(".slider", this.root);
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    $(".rate", this.root).addEventListener("input", (event) => (this.speed = Number(event.target.value)));
    this.root.addEventListener("click", (event) => this.press(event.target.closest("[data-go]")?.dataset.go));
  }
  load(length, k) {
    this.stop();
    this.length = length;
    this.slider.max = length;
    $(".rate", this.root).value = this.speed;
    this.set(k);
  }
  // Goes to a step, and stops playing.
  go(k) {
    this.stop();
    this.set(k);
    this.moved();
  }
  moved() {
    const { params } = this.view;
    params.step = String(this.k);
    if (params.queens) params.queens = "";
    saveAddress();
  }
  set(k) {
    this.k = clamp(k, 0, this.length);
    this.slider.value = this.k;
    const text = t(`Step ${this.k} of ${this.length}`, `第 ${this.k} 步，共 ${this.length} 步`);
    this.slider.setAttribute("aria-valuetext", text);
    $(".progress", this.root).textContent = text;
    for (const [what, end] of Object.entries({ first: 0, back: 0, forward: this.length, last: this.length }))
      $(`[data-go=${what}]`, this.root).setAttribute("aria-disabled", this.k === end);
    this.now.textContent = this.show(this.k);
  }
  press(what) {
    if (!what) return;
    if (what === "play") return this.timer ? this.stop(true) : this.play();
    this.go(this.moves[what](this.k) ?? this.k);
  }
  // One step in 1, 0.5, … seconds; at high speed, several steps in one frame.
  play() {
    if (this.k === this.length) this.set(0);
    this.now.setAttribute("aria-live", "off");
    this.playing(true);
    let due = 0;
    let before = performance.now();
    const tick = (time) => {
      due += ((time - before) / 1000) * 2 ** (this.speed - 1);
      before = time;
      if (due >= 1) {
        this.set(this.k + Math.floor(due));
        due %= 1;
      }
      if (this.k < this.length) this.timer = requestAnimationFrame(tick);
      else this.stop(true);
    };
    this.timer = requestAnimationFrame(tick);
  }
  stop(tell) {
    if (!this.timer) return;
    cancelAnimationFrame(this.timer);
    this.timer = 0;
    this.now.setAttribute("aria-live", "polite");
    this.playing(false);
    if (tell) this.moved();
  }
  playing(yes) {
    $(".play", this.root).setAttribute("aria-pressed", yes);
  }
}

const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", " ": "play" };
document.addEventListener("keydown", (event) => {
  const player = views[current]?.player;
  const what = KEYS[event.key];
  if (!player || !what || event.ctrlKey || event.altKey || event.metaKey || player.root.hidden) return;
  // Inputs, tabs and tables have their own use of these keys, and a button that of space.
  if (event.target.closest("input, select, [role=tab], .own-keys") || (event.key === " " && event.target.closest("button, a, summary"))) return;
  event.preventDefault();
  player.press(what);
});
