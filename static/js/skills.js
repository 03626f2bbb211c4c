// Skill pages: a form that opens gets the focus, folded findings open when an address leads into them. Every page works
// without it.
(() => {
  "use strict";

  addEventListener("toggle", ({ target }) => {
    if (target.matches?.("details.dismiss[open]")) target.querySelector("input:not([type=hidden])")?.focus();
  }, true);

  const open = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    if (target && target.closest("details")) target.scrollIntoView({ block: "start" });
  };

  // Escape leaves the box; browsers would empty it as well, and what was found would be gone.
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing || !event.target.matches?.("input[type=search]")) return;
    event.preventDefault();
    event.target.blur();
  }, true);

  addEventListener("hashchange", open);
  open();
})();
