"use strict";
// `[` and `]` lead to the previous and the next student.
addEventListener("keydown", event => {
  const rel = { "[": "prev", "]": "next" }[event.key];
  if (!rel || event.target.closest?.("input") || event.ctrlKey || event.metaKey || event.altKey) return;
  document.querySelector(`main:not([hidden]) a[rel=${rel}]`)?.click();
});
