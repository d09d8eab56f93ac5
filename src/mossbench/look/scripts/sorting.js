// th[data-sort]: a column by which the rows are sorted at a press, in this order first; what is not known stands last.
// A column of numbers (.n) goes by the data-value of its cells, any other one by their text.
// A row that explains the one above it goes along. Bars between rows hold only in the order that the page came in.

const OTHER_ORDER = { ascending: "descending", descending: "ascending" };

// What a cell is sorted by: a number, a text in lower case, or null where nothing is known.
function sortValue(cell, isNumber) {
  if (isNumber) return "value" in cell.dataset ? Number(cell.dataset.value) : null;
  return cell.textContent.trim().toLowerCase() || null;
}

function compareSortValues(a, b, sign) {
  if (a === null || b === null) return (a === null) - (b === null);
  if (a < b) return -sign;
  return a > b ? sign : 0;
}

function sortRows(body, { column, isNumber, sign }) {
  const rows = [...body.rows].filter((row) => !row.matches(".made"));
  const sortable = rows.map((row) => ({
    row,
    value: sortValue(row.cells[column], isNumber),
    next: row.nextElementSibling,
  }));
  sortable.sort((a, b) => compareSortValues(a.value, b.value, sign));
  for (const { row, next } of sortable) {
    body.append(row);
    if (next?.matches(".made")) body.append(next);
  }
}

function makeColumnSortable(head) {
  const table = head.closest("table");
  const body = table.tBodies[0];
  const rowsAsTheyCame = [...body.rows];
  const heads = [...head.parentNode.children];
  const button = document.createElement("button");
  button.type = "button";
  button.append(...head.childNodes);
  head.append(button);
  button.addEventListener("click", () => {
    const order = OTHER_ORDER[head.ariaSort] ?? head.dataset.sort;
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    sortRows(body, {
      column: heads.indexOf(head),
      isNumber: head.classList.contains("n"),
      sign: order === "ascending" ? 1 : -1,
    });
    const isResorted = [...body.rows].some((row, i) => row !== rowsAsTheyCame[i]);
    table.toggleAttribute("data-resorted", isResorted);
  });
}

for (const head of document.querySelectorAll("th[data-sort]")) makeColumnSortable(head);
