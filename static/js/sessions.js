// Session pages: the address and title follow what is typed, code can be copied, the filters fold on small screens,
// and folded results open when an address leads into them. Every page works without it.
(() => {
  "use strict";
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const words = document.documentElement.lang === "en" ? { copy: "Copy", copied: "Copied" } : { copy: "⧉", copied: "✓" };

  const frame = (pre) => {
    if (pre.parentElement.classList.contains("code-frame")) return;
    const box = document.createElement("div");
    const button = document.createElement("button");
    box.className = "code-frame";
    button.type = "button";
    button.className = "code-copy is-quiet";
    button.textContent = words.copy;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(pre.textContent);
      button.textContent = words.copied;
      setTimeout(() => { button.textContent = words.copy; }, 2000);
    });
    pre.replaceWith(box);
    box.append(pre, button);
  };

  const open = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    if (target && target.closest(".turns")) target.scrollIntoView({ block: "start" });
  };

  const narrow = matchMedia("(max-width: 56rem)");
  const fold = (root) => {
    for (const side of all("[data-side]", root)) side.open = !narrow.matches;
  };
  narrow.addEventListener("change", () => fold(document));

  // Escape leaves the box; browsers would empty it as well, and what was found would be gone.
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing || !event.target.matches?.("input[type=search]")) return;
    event.preventDefault();
    event.target.blur();
  }, true);

  const prepare = (root) => {
    for (const pre of all(".said pre, .raw-text", root)) frame(pre);
    fold(root);
  };
  addEventListener("htmx:load", ({ target }) => prepare(target));
  addEventListener("hashchange", open);
  prepare(document);
  open();
})();
