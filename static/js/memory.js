// The memory page: segment and entry light up together, and a text is counted while it is typed, as the server counts.
(() => {
  "use strict";
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const lang = document.documentElement.lang || "en";
  const number = new Intl.NumberFormat(lang).format;
  const rules = new Intl.PluralRules(lang);
  const plural = (count) => rules.select(count);

  const light = (event) => {
    const id = event.target.closest?.("[data-entry]")?.dataset.entry;
    const isOn = event.type === "pointerover" || event.type === "focusin";
    if (id) for (const el of all(`[data-entry="${CSS.escape(id)}"]`)) el.classList.toggle("is-lit", isOn);
  };
  for (const type of ["pointerover", "pointerout", "focusin", "focusout"]) addEventListener(type, light);

  // One tab stop for a gauge; arrows move along it.
  const segments = (gauge) => all("a.gauge-segment", gauge);
  const stop = (links, current) => {
    for (const link of links) link.setAttribute("tabindex", link === current ? "0" : "-1");
  };
  addEventListener("keydown", (event) => {
    const links = event.target.closest?.("a.gauge-segment") ? segments(event.target.closest("svg")) : [];
    const places = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
    if (!links.length || !(event.key in places)) return;
    event.preventDefault();
    const place = links.indexOf(event.target) + places[event.key];
    const next = links[Math.max(0, Math.min(links.length - 1, place))];
    stop(links, next);
    next.focus();
  });

  // What others change takes no tick away and closes nothing that was opened in a card that stays.
  let kept = [];
  const opened = (card) => all("details", card);
  addEventListener("htmx:beforeSwap", () => {
    kept = all("[data-card][id]").map((card) => ({
      id: card.id,
      isTicked: Boolean(card.querySelector(".tick input:checked")),
      open: opened(card).map((el) => el.open),
    })).filter(({ isTicked, open }) => isTicked || open.includes(true));
  });
  addEventListener("htmx:afterSettle", ({ detail }) => {
    for (const { id, isTicked, open } of kept) {
      const card = document.getElementById(id);
      if (!card) continue;
      const tick = card.querySelector(".tick input");
      if (tick && isTicked) tick.checked = true;
      if (detail.requestConfig?.elt.matches("[data-pulse]")) opened(card).forEach((el, i) => { el.open = open[i]; });
    }
    kept = [];
  });

  // Python's str.strip() and JavaScript's trim() differ: U+001C to U+001F and U+0085 go, U+FEFF stays.
  const blank = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
  const edges = new RegExp(`^${blank}|${blank}$`, "g");
  const length = (text) => [...text.replace(/\r\n?/g, "\n").replace(edges, "")].length;

  const draw = (box, base, used, limit) => {
    const scale = 100 / Math.max(limit, used, 1);
    const [, others, draft] = all("rect", box);
    others.setAttribute("width", `${base * scale}%`);
    draft.setAttribute("x", `${base * scale}%`);
    draft.setAttribute("width", `${Math.max(0, used - base) * scale}%`);
    draft.classList.toggle("is-over", used > limit);
    for (const end of ["x1", "x2"]) box.querySelector("line").setAttribute(end, `${limit * scale}%`);
  };
  const count = (box) => {
    const field = document.getElementById(box.dataset.liveCount);
    if (!field) return;
    const [base, cost, limit] = ["base", "cost", "limit"].map((name) => Number(box.dataset[name]));
    const chars = length(field.value);
    const used = base + (chars ? cost + chars : 0);
    const facts = { chars, used, limit, left: limit - used, over: used - limit, room: Math.max(0, limit - base - cost) };
    const kind = !chars ? "empty" : used > limit ? "over" : "fits";
    const isOne = plural(chars || facts.room) === "one";
    const pattern = (isOne && box.dataset[`${kind}One`]) || box.dataset[kind];
    const words = pattern.replace(/%(\w+)%/g, (_, name) => number(facts[name]));
    box.classList.toggle("is-over", used > limit);
    box.querySelector("[data-live-words]").textContent = words;
    draw(box, base, used, limit);
    clearTimeout(box.saying);
    if (document.activeElement === field) {
      box.saying = setTimeout(() => { box.querySelector("[data-live-said]").textContent = words; }, 1500);
    }
  };
  addEventListener("input", ({ target }) => {
    for (const box of all("[data-live-count]")) if (box.dataset.liveCount === target.id) count(box);
  });

  const prepare = (root) => {
    for (const box of all("[data-live-count]", root)) count(box);
    for (const svg of all(".gauge-bar[role=group]", root)) {
      const links = segments(svg);
      if (links.length) stop(links, links.includes(document.activeElement) ? document.activeElement : links[0]);
    }
  };
  addEventListener("htmx:load", ({ target }) => prepare(target.parentElement || document));
  prepare(document);
})();
