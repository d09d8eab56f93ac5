// ul[data-moved]: the address of a report that had a number in its name, `run-3-NAME.html`, leads on to the report.

function leadOnToReport(list) {
  const stem = location.pathname.match(/\/run-\d+-([^/]+)\.html$/)?.[1];
  const link = stem && list.querySelector(`a[data-stem="${CSS.escape(stem)}"]`);
  if (link) location.replace(link.href + location.hash);
}

for (const list of document.querySelectorAll("ul[data-moved]")) leadOnToReport(list);
