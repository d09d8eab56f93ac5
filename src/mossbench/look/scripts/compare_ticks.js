// form#compare: its button says how many runs are ticked, and another button takes all ticks away.

const MOST_COMPARED = 20;

// form.pick is a page of its own, where at least two have to be ticked.
function textOfCompareButton(nTicked, isPick) {
  if (nTicked > MOST_COMPARED) return `${nTicked} ticked, at most ${MOST_COMPARED} compare`;
  if (nTicked > 1) return `Compare ${nTicked} runs`;
  if (isPick) return "Compare";
  return nTicked ? "Compare with another run" : "Compare ticked";
}

function addClearButton(compareButton) {
  const clearButton = document.createElement("button");
  Object.assign(clearButton, { type: "reset", className: "button", textContent: "Clear" });
  compareButton.before(clearButton);
  return clearButton;
}

function countTicks() {
  const form = document.querySelector("form#compare");
  if (!form) return;
  const isPick = form.matches(".pick");
  const nTicked = [...form.elements].filter((field) => field.checked).length;
  const compareButton = form.querySelector("button:not([type])");
  compareButton.textContent = textOfCompareButton(nTicked, isPick);
  compareButton.disabled = nTicked > MOST_COMPARED || (nTicked < 2 && isPick);
  const clearButton = form.querySelector("button[type=reset]") ?? addClearButton(compareButton);
  clearButton.hidden = !nTicked || isPick;
}

function afterTicksAreCleared(form) {
  countTicks();
  document.querySelectorAll("form[data-filter]").forEach(filterRows);
  form.querySelector("button:not([type])").focus();
}

document.addEventListener("change", (event) => {
  if (event.target.form?.id === "compare") countTicks();
});
document.addEventListener("reset", (event) => {
  // The event comes before the fields are reset.
  if (event.target.matches("form#compare")) setTimeout(() => afterTicksAreCleared(event.target));
});
addEventListener("pageshow", countTicks); // a browser that goes back brings ticks along
