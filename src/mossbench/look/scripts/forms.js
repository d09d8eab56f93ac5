// Forms of the app: choices that take effect at once, addresses without empty fields, forms that are sent once.

// form[data-auto]: choices take effect at once; those of a menu when it is closed.
function submitAtChoice(form) {
  form.addEventListener("change", (event) => {
    const menu = event.target.closest("details.menu");
    if (menu) menu.dataset.changed = "";
    else if (!event.target.matches("input[type=text], input[type=search]")) form.requestSubmit();
  });
  for (const menu of form.querySelectorAll("details.menu")) {
    menu.addEventListener("toggle", () => {
      if (!menu.open && "changed" in menu.dataset) form.requestSubmit(menu.querySelector("button"));
    });
    closeMenuFromOutside(menu);
  }
}

// Who wants to see trigger boxes sees them on the next samples too.
function rememberTriggerBoxes(box) {
  box.checked = sessionStorage.getItem("trigger") === "shown";
  box.addEventListener("change", () => sessionStorage.setItem("trigger", box.checked ? "shown" : ""));
}

// Fields that were left alone stay out of the address.
function leaveOutEmptyFields(event) {
  for (const [name, value] of [...event.formData]) {
    if (value === "") event.formData.delete(name);
  }
}

// A note is left by Enter or Escape and kept; the next key labels.
function leaveNoteByKey(event) {
  if (event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
  event.preventDefault();
  event.currentTarget.blur();
}

// form[data-once]: sent once, however often its keys are pressed before the next page is there.
function submitOnce(form) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.once) event.preventDefault();
    form.dataset.once = "sent";
  });
  addEventListener("pageshow", () => {
    form.dataset.once = "";
  });
}

for (const form of document.querySelectorAll("form[data-auto]")) submitAtChoice(form);
for (const box of document.querySelectorAll(".explorer .show-trigger")) rememberTriggerBoxes(box);
for (const form of document.querySelectorAll("form[method=get]")) {
  form.addEventListener("formdata", leaveOutEmptyFields);
}
for (const note of document.querySelectorAll("input[name=note]")) note.addEventListener("keydown", leaveNoteByKey);
for (const form of document.querySelectorAll("form[data-once]")) submitOnce(form);
