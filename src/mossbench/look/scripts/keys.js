// Keys: one key presses one control, arrows lead to the page before and the page after.
//
// A key that is held down leads on through pages that only show, and does nothing else: whatever writes takes a press
// of its own, or somebody who rests a finger on a key would label answers that nobody has read.

const LINK_OF_ARROW = { ArrowLeft: "prev", ArrowRight: "next" };
const TYPED_INTO = "input:not([type=radio]):not([type=checkbox]), textarea, select";

function ignoreHeldEnter(event) {
  const pressesButton = event.key === "Enter" && event.target.closest("form[method=post] :is(button, input)");
  if (event.repeat && pressesButton) event.preventDefault();
}

// The link of an arrow, or the control whose data-key is the key that was pressed.
function controlOfKey(event) {
  const rel = LINK_OF_ARROW[event.key];
  const movesInRadios = event.target.matches("input[type=radio]");
  if (rel && !movesInRadios) return document.querySelector(`a[rel=${rel}]`);
  if (event.key === "Enter") return null;
  return document.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
}

function pressControlOfKey(event) {
  const isTyping = event.target.closest(TYPED_INTO); // letters typed into a field stay in the field
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const control = controlOfKey(event);
  if (!control) return;
  event.preventDefault();
  if (event.repeat && !control.matches("a")) return;
  control.click();
  if (control.matches("input")) control.focus();
}

document.addEventListener("keydown", ignoreHeldEnter);
document.addEventListener("keydown", pressControlOfKey);
