// Small behaviours shared by report and app. Everything works without them except keyboard shortcuts and the report's filter.
"use strict";

// A key that is held down leads on through pages that only show, and does nothing else: whatever writes takes a press of
// its own, or somebody who rests a finger on a key would label answers that nobody has read.
document.addEventListener("keydown", (event) => {
  const pressesButton = event.key === "Enter" && event.target.closest("form[method=post] :is(button, input)");
  if (event.repeat && pressesButton) event.preventDefault();
});

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
  if (event.repeat && !target.matches("a")) return;
  target.click();
  if (target.matches("input")) target.focus();
});

// data-filter: a form that hides rows of a list by text and by the data- attributes its other fields are named after,
// and says how many are left. A row that is ticked stays: what is compared is seen.
const filter = (form) => {
  const { text = "", ...wanted } = Object.fromEntries(new FormData(form));
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = document.querySelectorAll(`${form.dataset.filter} [data-row]`);
  let shown = 0;
  for (const row of rows) {
    const fits = Object.entries(wanted).every(([name, value]) => !value || row.dataset[name] === value);
    const body = fits && words.length ? row.dataset.text ?? row.textContent.toLowerCase() : "";
    row.hidden = !(fits && words.every((word) => body.includes(word))) && !row.querySelector("[name=run]:checked");
    shown += !row.hidden;
  }
  form.querySelector("output").textContent = shown ? `${shown} of ${rows.length} shown` : "No matches. Clear a filter to see more.";
};
document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-filter]");
  if (!form) return;
  filter(form);
  if (!location.protocol.startsWith("http")) return;
  const address = new URL(location.href);  // which brings this view again
  for (const [name, value] of new FormData(form)) address.searchParams[value ? "set" : "delete"](name, value);
  history.replaceState(null, "", address);
});
for (const form of document.querySelectorAll("form[data-filter]")) {
  const asked = [...new URLSearchParams(location.search)].filter(([name]) => form.elements.namedItem(name));
  for (const [name, value] of asked) form.elements.namedItem(name).value = value;
  if (asked.length) filter(form);
}
document.addEventListener("submit", (event) => { if (event.target.matches("form[data-filter]")) event.preventDefault(); });

// details[data-narrow]: a part that comes second. It is open, but on a narrow screen only when it is asked for.
if (matchMedia("(max-width: 44rem)").matches) {
  for (const part of document.querySelectorAll("details[data-narrow]")) part.open = !!part.querySelector(":target");
}

// form[data-fold]: on a narrow screen all fields but the first stand behind a button, unless one of them is in use.
for (const form of document.querySelectorAll("form[data-fold]")) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "button unfold", textContent: "Filters" });
  const fold = (folded) => {
    form.toggleAttribute("data-folded", folded);
    button.setAttribute("aria-expanded", String(!folded));
  };
  const second = [...form.querySelectorAll("select, :is(label, fieldset) ~ label input[type=search]")];
  fold(second.every((one) => one.options?.[0].value || !one.value));
  button.addEventListener("click", () => fold(!form.hasAttribute("data-folded")));
  form.querySelector(":scope > :is(label, fieldset)").after(button);
}

// data-stripes: a stripe leads to its sample; before, its id is said.
for (const strip of document.querySelectorAll("[data-stripes]")) {
  const n = Number(strip.dataset.n);
  const ids = strip.dataset.ids ? strip.dataset.ids.split(" ") : [];
  const place = (event) => {
    const box = event.target.closest("td svg")?.getBoundingClientRect();
    return box && Math.min(n, Math.max(1, Math.ceil(n * (event.clientX - box.left) / box.width)));
  };
  strip.addEventListener("click", (event) => {
    const at = place(event);
    if (at) location.assign(strip.dataset.pages?.split(" ")[at - 1] ?? strip.dataset.stripes + at);
  });
  strip.addEventListener("pointermove", (event) => {
    const at = place(event);
    strip.querySelector("output").textContent = at ? `${at} of ${n}${ids.length === n ? `: ${ids[at - 1]}` : ""}` : "";
  });
}

// details[data-choose]: of all runs on a page that is a file, those whose stripes and answers are shown; kept for the next
// page where the browser does so for files. The run that the address names is always there.
for (const menu of document.querySelectorAll("details[data-choose]")) {
  const boxes = [...menu.querySelectorAll("input")], name = `runs of ${menu.dataset.choose}`;
  const rows = [...document.querySelectorAll(".strip tr:not([aria-hidden])")];
  const columns = [...document.querySelectorAll(".columns > .column")];
  const show = () => {
    const shown = boxes.map((box) => box.checked);
    for (const parts of [rows, columns]) parts.forEach((part, i) => { part.hidden = !shown[i]; });
    menu.querySelector("summary span").textContent = `${shown.filter(Boolean).length} of ${boxes.length}`;
    for (const svg of document.querySelectorAll(".strip .key [data-kind]")) {
      const drawn = rows.filter((row) => !row.hidden).flatMap((row) => [...row.querySelectorAll(`[data-kind="${svg.dataset.kind}"]`)]);
      svg.parentNode.hidden = !drawn.length;
      svg.firstElementChild.classList.toggle("quiet", drawn.every((path) => path.matches(".quiet")));
    }
  };
  try {
    const kept = JSON.parse(sessionStorage.getItem(name));
    if (boxes.some((box) => kept?.includes(box.value))) for (const box of boxes) box.checked = kept.includes(box.value);
  } catch {}
  const asked = columns.findIndex((column) => `#${column.querySelector("h2").id}` === location.hash);
  if (asked >= 0) boxes[asked].checked = true;
  menu.addEventListener("change", (event) => {
    if (!boxes.some((box) => box.checked)) event.target.checked = true;  // the last one stays
    try { sessionStorage.setItem(name, JSON.stringify(boxes.filter((box) => box.checked).map((box) => box.value))); } catch {}
    show();
  });
  document.addEventListener("click", (event) => { if (!menu.contains(event.target)) menu.open = false; });
  menu.addEventListener("keydown", (event) => { if (event.key === "Escape") menu.open = false; });
  menu.hidden = false;
  show();
  if (asked >= 0) columns[asked].scrollIntoView();
}

// th[data-sort]: a column by which the rows are sorted at a press, in this order first; what is not known stands last.
// A column of numbers (.n) goes by the data-value of its cells, any other one by their text.
// A row that explains the one above it goes along. Bars between rows hold only in the order that the page came in.
for (const head of document.querySelectorAll("th[data-sort]")) {
  const table = head.closest("table"), body = table.tBodies[0];
  const at = [...head.parentNode.children].indexOf(head);
  const came = [...body.rows];
  const button = document.createElement("button");
  button.type = "button";
  button.append(...head.childNodes);
  head.append(button);
  button.addEventListener("click", () => {
    const other = { ascending: "descending", descending: "ascending" }[head.ariaSort];
    const order = other ?? head.dataset.sort, sign = order === "ascending" ? 1 : -1;
    for (const one of head.parentNode.children) one.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    const value = (row) => {
      const cell = row.cells[at];
      if (head.classList.contains("n")) return "value" in cell.dataset ? Number(cell.dataset.value) : null;
      return cell.textContent.trim().toLowerCase() || null;
    };
    const rows = [...body.rows].filter((row) => !row.matches(".made")).map((row) => [value(row), row, row.nextElementSibling]);
    rows.sort(([a], [b]) => (a === null) - (b === null) || (a < b ? -sign : a > b ? sign : 0));
    for (const [, row, made] of rows) body.append(row, ...(made?.matches(".made") ? [made] : []));
    table.toggleAttribute("data-resorted", [...body.rows].some((row, i) => row !== came[i]));
  });
}
