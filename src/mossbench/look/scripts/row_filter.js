// form[data-filter]: hides rows of a list by text and by the data- attributes that its other fields are named after,
// and says how many are left. A row that is ticked stays: what is compared is seen. With data-page="12" the rows that
// are left are shown in pages of so many; the buttons stay where they are, so that the focus does.

function filterRows(form, start = 0) {
  const { text = "", ...wanted } = Object.fromEntries(new FormData(form));
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = [...document.querySelectorAll(`${form.dataset.filter} [data-row]`)];
  const found = rows.filter((row) => isTicked(row) || (hasValues(row, wanted) && hasWords(row, words)));
  const step = Number(form.dataset.page) || found.length;
  const shown = new Set(found.slice(start, start + step));
  for (const row of rows) row.hidden = !shown.has(row) && !isTicked(row);
  form.querySelector("output").textContent = messageOf(found.length, rows.length, start, step);
  if (form.dataset.page) showPager(form, start, step, found.length);
}

function messageOf(nFound, n, start, step) {
  if (!nFound) return "No matches. Clear a filter to see more.";
  if (nFound <= step) return `${nFound} of ${n} shown`;
  return `${start + 1} to ${Math.min(start + step, nFound)} of ${nFound} shown`;
}

function showPager(form, start, step, n) {
  const list = document.querySelector(form.dataset.filter);
  const pager = list.nextElementSibling?.matches(".pager") ? list.nextElementSibling : makePager(list);
  const [previous, next] = pager.querySelectorAll("button");
  pager.hidden = n <= step;
  previous.ariaDisabled = String(start === 0);
  next.ariaDisabled = String(start + step >= n);
  previous.onclick = () => start > 0 && filterRows(form, Math.max(start - step, 0));
  next.onclick = () => start + step < n && filterRows(form, start + step);
}

function makePager(list) {
  const pager = document.createElement("nav");
  pager.className = "pager";
  pager.ariaLabel = "More answers";
  for (const text of ["Previous", "Next"]) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "button", textContent: text });
    pager.append(button);
  }
  list.after(pager);
  return pager;
}

// The page of rows on which the row with this anchor is.
function showRowOf(anchor) {
  const row = anchor && document.getElementById(anchor)?.closest("[data-row]");
  const form = row && document.querySelector(`form[data-filter="#${row.parentElement.id}"]`);
  if (!form?.dataset.page || !row.hidden) return;
  const step = Number(form.dataset.page);
  const place = [...row.parentElement.querySelectorAll("[data-row]")].indexOf(row);
  form.reset();
  filterRows(form, Math.floor(place / step) * step);
}

function isTicked(row) {
  return row.querySelector("[name=run]:checked") !== null;
}

function hasValues(row, wanted) {
  return Object.entries(wanted).every(([name, value]) => !value || row.dataset[name] === value);
}

function hasWords(row, words) {
  if (!words.length) return true;
  const text = row.dataset.text ?? row.textContent.toLowerCase();
  return words.every((word) => text.includes(word));
}

// The address of the page then brings this view again.
function putFilterIntoAddress(form) {
  if (!location.protocol.startsWith("http")) return;
  const address = new URL(location.href);
  for (const [name, value] of new FormData(form)) {
    if (value) address.searchParams.set(name, value);
    else address.searchParams.delete(name);
  }
  history.replaceState(null, "", address);
  keepFilterInLinks(form);
}

// a[data-keeps-filter]: the same list in another order, with the filter of its form.
function keepFilterInLinks(form) {
  for (const link of form.querySelectorAll("a[data-keeps-filter]")) {
    const asked = new URLSearchParams(link.search);
    for (const [name, value] of new FormData(form)) {
      if (value) asked.set(name, value);
      else asked.delete(name);
    }
    link.search = asked;
  }
}

function takeFilterFromAddress(form) {
  const asked = [...new URLSearchParams(location.search)].filter(([name]) => form.elements.namedItem(name));
  for (const [name, value] of asked) form.elements.namedItem(name).value = value;
  if (asked.length) filterRows(form);
  keepFilterInLinks(form);
}

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-filter]");
  if (!form) return;
  filterRows(form);
  putFilterIntoAddress(form);
});
for (const form of document.querySelectorAll("form[data-filter]")) {
  if (form.dataset.page) filterRows(form);
  takeFilterFromAddress(form);
}
document.addEventListener("submit", (event) => {
  if (event.target.matches("form[data-filter]")) event.preventDefault();
});
