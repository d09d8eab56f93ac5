// main[data-reload]: a page that is reloaded every few seconds while something on it is in progress. The
// filter with its fields, the ticks and the focus are kept.

const AGAIN_EVERY_MS = 3000;

// The selector that finds the focused element in the new page; empty if no selector identifies it.
function selectorOfFocused(element) {
  if (element.matches("main a[href]")) return `a[href="${CSS.escape(element.getAttribute("href"))}"]`;
  if (element.matches("main input[form]")) return selectorOfTick(element);
  return "";
}

function selectorOfTick(box) {
  return `input[form][value="${CSS.escape(box.value)}"]`;
}

function keepFilters(newMain) {
  for (const form of document.querySelectorAll("main form[data-filter]")) {
    newMain.querySelector("form[data-filter]")?.replaceWith(form);
  }
}

function keepTicks(newMain) {
  for (const box of document.querySelectorAll("main input[form]:checked")) {
    const newBox = newMain.querySelector(selectorOfTick(box));
    if (newBox) newBox.checked = true;
  }
}

function replaceMain(newMain) {
  const focused = document.activeElement;
  const focusedSelector = selectorOfFocused(focused);
  keepFilters(newMain);
  keepTicks(newMain);
  document.querySelector("main").replaceWith(newMain);
  countTicks();
  for (const form of newMain.querySelectorAll("form[data-filter]")) filterRows(form);
  if (focusedSelector) newMain.querySelector(focusedSelector)?.focus();
  else if (newMain.contains(focused)) focused.focus();
}

async function showPageAgain() {
  if (!document.querySelector("main[data-reload]")) return;
  const page = document.hidden ? null : await fetchPage();
  const newMain = page?.querySelector("main");
  if (newMain) replaceMain(newMain);
  setTimeout(showPageAgain, AGAIN_EVERY_MS);
}

setTimeout(showPageAgain, AGAIN_EVERY_MS);
