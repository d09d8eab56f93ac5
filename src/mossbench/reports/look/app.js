// What only the served app needs. Every page works without it, if with a click more.
"use strict";

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
