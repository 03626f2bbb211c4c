// Keys, focus, times, paging in of what others changed. Every page works without it; nothing here decides anything.
(() => {
  "use strict";
  const body = document.body;
  const find = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const lang = document.documentElement.lang || "en";
  const isTyping = (el) => el.matches?.("input:not([type=checkbox],[type=radio]), textarea, select, [contenteditable]");

  // The server writes times in the zone of this cookie.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !document.cookie.includes(`memoryhub_timezone=${zone}`)) {
    document.cookie = `memoryhub_timezone=${zone}; path=/; max-age=31536000; SameSite=Strict`;
  }

  // "14 minutes ago" up to a month; then the date that the server wrote.
  const ago = new Intl.RelativeTimeFormat(lang, { numeric: "auto" });
  const units = [["day", 86400], ["hour", 3600], ["minute", 60]];
  const sayTimes = (root = document) => {
    for (const time of all("time[data-relative]", root)) {
      const seconds = (Date.parse(time.dateTime) - Date.now()) / 1000;
      if (!(Math.abs(seconds) < 30 * 86400)) continue;
      const [unit, size] = units.find(([, long]) => Math.abs(seconds) >= long) || ["minute", 60];
      const words = ago.format(Math.trunc(seconds / size), unit);
      if (time.textContent !== words) time.textContent = words;
    }
  };
  setInterval(sayTimes, 30000);

  // Typed text: data-draft marks forms that hold it, data-open names the entry that is edited; answers spare those.
  // A refused form comes back with the typed text as its default: data-typed, or a notice inside, says so.
  const isDirty = (form) => form.matches("[data-typed], :has(.notice)") ||
    all("textarea, input:not([type=hidden])", form).some((field) =>
      field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue);
  const mayLeave = (form) => !isDirty(form) || confirm(form.dataset.draft || body.dataset.leave);
  let isSending = false;
  addEventListener("submit", (event) => { isSending = !event.defaultPrevented && event.target.method !== "dialog"; });
  addEventListener("htmx:beforeOnLoad", ({ detail: { xhr } }) => { isSending ||= /^hx-redirect:/im.test(xhr.getAllResponseHeaders()); });
  addEventListener("pageshow", () => { isSending = false; });
  addEventListener("beforeunload", (event) => {
    if (!isSending && all("form[data-draft]").some(isDirty)) event.preventDefault();
  });

  // A pulse a second while the page is looked at, slower while the server does not answer.
  let skip = 0, pause = 0;
  const pulse = () => {
    if (document.hidden || skip-- > 0 || find(".htmx-request")) return;
    skip = pause;
    body.dispatchEvent(new CustomEvent("pulse"));
  };
  setInterval(pulse, 1000);
  addEventListener("visibilitychange", () => { skip = 0; pulse(); });
  let isOvertaken = false; // a pulse asked before one's own action may answer after it, with older parts
  addEventListener("htmx:beforeRequest", ({ detail }) => { isOvertaken = !detail.elt.matches("[data-pulse]"); });
  addEventListener("htmx:sendError", () => { pause = Math.min(30, pause * 2 + 1); body.dataset.offline = ""; });
  addEventListener("htmx:afterOnLoad", () => { pause = 0; delete body.dataset.offline; });
  addEventListener("htmx:configRequest", ({ detail }) => {
    const own = detail.elt.closest("form");
    const open = all("form[data-draft][data-open]").filter((form) => form !== own).map((form) => form.dataset.open);
    if (open.length) detail.parameters.open = open;
  });

  // Focus: to what changed after one's own action; after others' changes it stays where it was.
  const goTo = (el) => {
    if (!el || document.activeElement === el) return;
    el.focus();
    if (el.matches("textarea")) el.setSelectionRange(el.value.length, el.value.length);
  };
  let held = null;
  addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (isOvertaken && detail.elt.matches("[data-pulse]")) detail.shouldSwap = false;
    const el = document.activeElement;
    const place = all("[data-card]").indexOf(el?.closest("[data-card]"));
    held = el && el !== body && { el, place, id: el.closest("[id]")?.id, start: el.selectionStart, end: el.selectionEnd };
  });
  addEventListener("htmx:afterSettle", ({ detail }) => {
    const wanted = detail.requestConfig?.elt.matches("[data-pulse]") ? null : find("[data-focus]");
    for (const el of all("[data-focus]")) el.removeAttribute("data-focus");
    if (wanted) return goTo(wanted);
    if (!held || document.activeElement !== body) return;
    const near = all("[data-card]").slice(0, held.place + 1).at(-1); // what one was on is gone: its neighbour
    const el = held.el.isConnected ? held.el : document.getElementById(held.id) || near;
    el?.focus({ preventScroll: true });
    if (el === held.el && typeof held.start === "number") el.setSelectionRange(held.start, held.end);
  });

  // What was chosen or opened stays so when what others changed is shown.
  let chosen = [], opened = [];
  addEventListener("htmx:beforeSwap", () => {
    chosen = all("input[type=radio]:checked").filter((el) => !el.defaultChecked).map(({ name, value }) => ({ name, value }));
    opened = all("details[id][open]").map(({ id }) => id);
  });
  addEventListener("htmx:afterSettle", ({ detail }) => {
    if (!detail.requestConfig?.elt.matches("[data-pulse]")) return;
    for (const { name, value } of chosen) {
      const el = find(`input[type=radio][name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`);
      if (el) el.checked = true;
    }
    for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  });

  const prepare = (root) => {
    sayTimes(root);
    for (const el of all("[data-copy], [data-dialog]", root)) el.hidden = false;
  };
  addEventListener("htmx:load", ({ target }) => prepare(target));
  prepare(document);
  goTo(find("main [data-focus]"));

  const openHelp = () => {
    for (const el of all("#help [data-if]")) el.hidden = !find(el.dataset.if);
    find("#help")?.showModal();
  };
  addEventListener("click", async ({ target }) => {
    for (const menu of all("details.menu[open]")) if (!menu.contains(target)) menu.open = false;
    if (target.closest("[data-dialog]")) openHelp();
    const button = target.closest("[data-copy]");
    const source = button && find(button.dataset.copy);
    if (!source) return;
    await navigator.clipboard.writeText(source.value ?? source.textContent);
    const words = button.textContent;
    button.textContent = button.dataset.copied || words;
    setTimeout(() => { button.textContent = words; }, 2000);
  });

  // Keys. Cards are [data-card]; a letter acts on the card one is on, then on the page: [data-key=LETTER].
  const card = () => document.activeElement.closest("[data-card]") || find("[data-card]:target");
  const step = (by) => {
    const cards = all("[data-card]").filter((el) => el.checkVisibility());
    const next = cards[cards.indexOf(card()) + by] || cards[by > 0 && !card() ? 0 : -1];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  const leave = () => {
    const menu = find("details.menu[open]");
    const form = document.activeElement.closest("form[data-draft]");
    if (menu) { menu.open = false; return find("summary", menu).focus(); }
    if (form) { if (mayLeave(form)) { form.reset(); find("[data-cancel]", form)?.click(); } return; }
    if (isTyping(document.activeElement)) return document.activeElement.blur();
    find("[data-back]")?.click();
  };
  const keys = {
    "?": openHelp,
    "/": () => { const box = find("main [data-search]") || find("[data-search]"); box?.focus(); box?.select(); },
    j: () => step(1),
    k: () => step(-1),
    u: () => all("[data-undo] button, [data-key=u]").at(-1)?.click(),
  };
  let wentG = 0;
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || find("dialog[open]")) return;
    const form = event.target.closest?.("form");
    if (event.key === "Escape") return leave();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && form) return form.requestSubmit();
    if (!("keys" in body.dataset) || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const letter = CSS.escape(event.key);
    const goes = Date.now() - wentG < 1500 && find(`[data-go="${letter}"]`);
    wentG = event.key === "g" && !goes ? Date.now() : 0;
    const own = goes || find(`[data-key="${letter}"]`, card() || undefined) ||
      all(`[data-key="${letter}"]`).find((el) => !el.closest("[data-card]"));
    if (!own && !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    if (own) own.click(); else keys[event.key]();
  });
})();
