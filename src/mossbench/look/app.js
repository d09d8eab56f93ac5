// What only the served app needs. Every page works without it, if with a click more.
"use strict";

// data-address: the address that brings this very view again, also when there is more to show by default.
for (const page of document.querySelectorAll("[data-address]")) {
  history.replaceState(null, "", page.dataset.address + location.hash);
}

// data-auto: a form whose choices take effect at once.
for (const form of document.querySelectorAll("form[data-auto]")) {
  form.addEventListener("change", (event) => {
    if (!event.target.matches("input[type=text], input[type=search]")) form.requestSubmit();
  });
}

// Fields that were left alone stay out of the address.
for (const form of document.querySelectorAll("form[method=get]")) {
  form.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) if (value === "") event.formData.delete(name);
  });
}

// A note is left by Enter or Escape and kept; the next key labels.
for (const note of document.querySelectorAll("input[name=note]")) {
  note.addEventListener("keydown", (event) => {
    if (event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
    event.preventDefault();
    note.blur();
  });
}

// data-once: a form that is sent once, however often its keys are pressed before the next page is there.
for (const form of document.querySelectorAll("form[data-once]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.once) event.preventDefault();
    form.dataset.once = "sent";
  });
  addEventListener("pageshow", () => { form.dataset.once = ""; });
}

// data-live: asks how far a run is until it has ended.
for (const box of document.querySelectorAll("[data-live]")) {
  const ask = async () => {
    const answer = await fetch(box.dataset.live, { headers: { accept: "application/json" } }).catch(() => null);
    if (answer && answer.ok) {
      const { n, of, going, state } = await answer.json();
      box.querySelector("progress").max = of;
      box.querySelector("progress").value = n;
      box.querySelector("output").textContent = `${n} of ${of} answers, ${state}`;
      if (!going) return location.reload();
    }
    setTimeout(ask, 2000);
  };
  ask();
}

// data-again: a page that is asked for again every few seconds, while something on it is going on.
const again = async () => {
  if (!document.querySelector("main[data-again]")) return;
  const answer = document.hidden ? null : await fetch(location.href).catch(() => null);
  if (answer && answer.ok && !answer.headers.has("refresh")) {  // else it is being read
    const found = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
    const { activeElement: active } = document;
    const focused = active.matches("main a[href]") ? `a[href="${CSS.escape(active.getAttribute("href"))}"]`
      : active.matches("main input[form]") ? `input[form][value="${CSS.escape(active.value)}"]` : "";
    for (const box of document.querySelectorAll("main input[form]:checked")) {  // ticked, and to stay so
      found?.querySelector(`input[form][value="${CSS.escape(box.value)}"]`)?.setAttribute("checked", "");
    }
    if (found) document.querySelector("main").replaceWith(found);
    if (found && focused) found.querySelector(focused)?.focus();
  }
  setTimeout(again, 3000);
};
setTimeout(again, 3000);

// data-scale: a number answers the first question that is open; with the last one the form is sent.
for (const form of document.querySelectorAll("form[data-scale]")) {
  const groups = [...form.querySelectorAll("fieldset[data-group]")];
  const open = () => groups.find((group) => !group.querySelector(":checked"));
  const mark = () => groups.forEach((group) => group.toggleAttribute("data-open", group === open()));
  const settled = () => { mark(); if (!open()) form.requestSubmit(form.querySelector("button[value=rate]")); };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input[type=text], textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !open()) return;
    const choice = open().querySelector(`input[value="${CSS.escape(event.key)}"]`);
    if (!choice) return;
    event.preventDefault();
    choice.checked = true;
    settled();
  });
  form.addEventListener("change", (event) => { if (event.target.matches("input[type=radio]")) settled(); });
  mark();
}
