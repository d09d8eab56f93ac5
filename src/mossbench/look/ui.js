// Small behaviours shared by report and app. Everything works without them except keyboard shortcuts and the report's filter.
"use strict";

// data-key: one key presses one control. Letters typed into a field stay in the field.
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input:not([type=radio]):not([type=checkbox]), textarea, select");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const onRadio = event.target.matches("input[type=radio]");
  const target = rel && !onRadio ? document.querySelector(`a[rel=${rel}]`)
    : event.key === "Enter" ? null
    : document.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
  if (!target) return;
  event.preventDefault();
  target.click();
  if (target.matches("input")) target.focus();
});

// data-filter: a form that hides rows of a list by text and by the data- attributes its other fields are named after,
// and says how many are left.
for (const form of document.querySelectorAll("form[data-filter]")) {
  const rows = [...document.querySelectorAll(`${form.dataset.filter} [data-row]`)];
  const say = form.querySelector("output");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    const { text = "", ...wanted } = Object.fromEntries(new FormData(form));
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const fits = Object.entries(wanted).every(([name, value]) => !value || row.dataset[name] === value);
      const body = fits && words.length ? row.dataset.text ?? row.textContent.toLowerCase() : "";
      row.hidden = !(fits && words.every((word) => body.includes(word)));
      shown += !row.hidden;
    }
    say.textContent = shown ? `${shown} of ${rows.length} shown` : "No matches. Clear a filter to see more.";
  });
}
