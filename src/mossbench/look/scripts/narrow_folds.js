// What is folded on a narrow screen, so that the first things come first.

// details[data-narrow]: a part that comes second. It is open, but on a narrow screen only when the address asks for it.
function foldSecondParts() {
  if (!matchMedia("(max-width: 44rem)").matches) return;
  for (const part of document.querySelectorAll("details[data-narrow]")) part.open = !!part.querySelector(":target");
}

// form[data-fold]: all fields but the first stand behind a button, unless one of them is in use. The style sheet shows
// the button and hides the fields only on a narrow screen.
function foldFieldsBehindButton(form) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "button unfold", textContent: "Filters" });
  const setFolded = (isFolded) => {
    form.toggleAttribute("data-folded", isFolded);
    button.setAttribute("aria-expanded", String(!isFolded));
  };
  const furtherFields = [...form.querySelectorAll("select, :is(label, fieldset) ~ label input[type=search]")];
  setFolded(furtherFields.every(isUnused));
  button.addEventListener("click", () => setFolded(!form.hasAttribute("data-folded")));
  form.querySelector(":scope > :is(label, fieldset)").after(button);
}

// A menu without an empty choice always has a value, which says nothing.
function isUnused(field) {
  return field.options?.[0].value || !field.value;
}

// A link into a folded part opens it, and brings what it leads to into view.
function openTarget() {
  const anchor = decodeURIComponent(location.hash.slice(1));
  const target = anchor && document.getElementById(anchor);
  if (!target) return;
  showRowOf(anchor);
  let part = target.closest("details");
  while (part) {
    part.open = true;
    part = part.parentElement.closest("details");
  }
  target.scrollIntoView();
}

foldSecondParts();
openTarget();
addEventListener("hashchange", openTarget);
for (const form of document.querySelectorAll("form[data-fold]")) foldFieldsBehindButton(form);
