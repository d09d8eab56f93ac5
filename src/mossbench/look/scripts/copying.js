// data-copy: a button that copies its text, or the address of what is seen, to send it to somebody.

const COPIED_IS_SHOWN_MS = 2000;

// Without https a browser has only the old way to copy.
function copyTheOldWay(text) {
  const field = Object.assign(document.createElement("textarea"), { value: text, className: "hidden" });
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  return isCopied;
}

async function copyTextOf(button) {
  const text = button.dataset.copy || location.href;
  const isCopied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (isCopied) return true;
  const isCopiedTheOldWay = copyTheOldWay(text);
  button.focus();
  return isCopiedTheOldWay;
}

function makeButtonCopy(button) {
  const label = [...button.childNodes];
  button.hidden = false;
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    const isCopied = await copyTextOf(button);
    const success = button.dataset.copy ? "Copied" : "Link copied";
    button.textContent = isCopied ? success : "Copy failed";
    setTimeout(() => button.replaceChildren(...label), COPIED_IS_SHOWN_MS);
  });
}

for (const button of document.querySelectorAll("[data-copy]")) makeButtonCopy(button);
