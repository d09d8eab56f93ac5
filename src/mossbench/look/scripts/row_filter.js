// form[data-filter]: hides rows of a list by text and by the data- attributes that its other fields are named after,
// and says how many are left. A row that is ticked stays: what is compared is seen.

function filterRows(form) {
  const { text = "", ...wanted } = Object.fromEntries(new FormData(form));
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = document.querySelectorAll(`${form.dataset.filter} [data-row]`);
  let nShown = 0;
  for (const row of rows) {
    const isWanted = hasValues(row, wanted) && hasWords(row, words);
    row.hidden = !isWanted && !row.querySelector("[name=run]:checked");
    nShown += !row.hidden;
  }
  const message = nShown ? `${nShown} of ${rows.length} shown` : "No matches. Clear a filter to see more.";
  form.querySelector("output").textContent = message;
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
}

function takeFilterFromAddress(form) {
  const asked = [...new URLSearchParams(location.search)].filter(([name]) => form.elements.namedItem(name));
  for (const [name, value] of asked) form.elements.namedItem(name).value = value;
  if (asked.length) filterRows(form);
}

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-filter]");
  if (!form) return;
  filterRows(form);
  putFilterIntoAddress(form);
});
for (const form of document.querySelectorAll("form[data-filter]")) takeFilterFromAddress(form);
document.addEventListener("submit", (event) => {
  if (event.target.matches("form[data-filter]")) event.preventDefault();
});
