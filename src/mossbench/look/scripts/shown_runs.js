// details[data-choose]: of all runs on a page that is a file, those whose stripes and answers are shown. The choice is
// kept for the next page where the browser keeps anything for files. The run that the address names is always shown.

// A kind stays in the key of the strip while a run that is shown has it.
function updateKeyOfStrip(rows) {
  const shownRows = rows.filter((row) => !row.hidden);
  for (const svg of document.querySelectorAll(".strip .key [data-kind]")) {
    const stripesOfKind = `[data-kind="${svg.dataset.kind}"]`;
    const stripes = shownRows.flatMap((row) => [...row.querySelectorAll(stripesOfKind)]);
    svg.parentNode.hidden = !stripes.length;
    svg.firstElementChild.classList.toggle(
      "quiet",
      stripes.every((path) => path.matches(".quiet")),
    );
  }
}

function makeRunsChoosable(menu) {
  const boxes = [...menu.querySelectorAll("input")];
  const rows = [...document.querySelectorAll(".strip tr:not([aria-hidden])")];
  const columns = [...document.querySelectorAll(".columns > .column")];
  const storageName = `runs of ${menu.dataset.choose}`;

  const showChosen = () => {
    for (const parts of [rows, columns]) {
      parts.forEach((part, i) => {
        part.hidden = !boxes[i]?.checked;
      });
    }
    const nShown = boxes.filter((box) => box.checked).length;
    menu.querySelector("summary span").textContent = `${nShown} of ${boxes.length}`;
    updateKeyOfStrip(rows);
  };
  const restoreChoice = () => {
    try {
      const kept = JSON.parse(sessionStorage.getItem(storageName));
      if (!boxes.some((box) => kept?.includes(box.value))) return;
      for (const box of boxes) box.checked = kept.includes(box.value);
    } catch {} // nothing is kept for files, or not by us
  };
  const keepChoice = () => {
    const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
    try {
      sessionStorage.setItem(storageName, JSON.stringify(chosen));
    } catch {} // nothing is kept for files
  };

  restoreChoice();
  const asked = columns.findIndex((column) => `#${column.querySelector("h2").id}` === location.hash);
  if (asked >= 0) boxes[asked].checked = true;
  menu.addEventListener("change", (event) => {
    if (!boxes.some((box) => box.checked)) event.target.checked = true; // the last one stays
    keepChoice();
    showChosen();
  });
  closeMenuFromOutside(menu);
  menu.hidden = false;
  showChosen();
  if (asked >= 0) columns[asked].scrollIntoView();
}

for (const menu of document.querySelectorAll("details[data-choose]")) makeRunsChoosable(menu);
