// What only the served app needs. Every page works without it, if with a click more.
"use strict";

// data-address: the address that brings this very view again, also when there is more to show by default.
for (const page of document.querySelectorAll("[data-address]")) {
  history.replaceState(null, "", page.dataset.address + location.hash);
}

// Who comes back to the explorer over the bar finds the side, the filters and the sample that they left.
const explorer = document.querySelector('nav a[href="/explorer"]:not([aria-current])');
const left = sessionStorage.getItem("explorer");
if (location.pathname === "/explorer") {
  const [page] = document.querySelectorAll("[data-address]");
  if (page) sessionStorage.setItem("explorer", page.dataset.address);
  else sessionStorage.removeItem("explorer");  // it leads to an error
} else if (explorer && left) explorer.href = left;

// data-copy: its text, or the address of what is seen, for somebody else. Without https a browser has only the old way to copy.
for (const button of document.querySelectorAll("[data-copy]")) {
  const says = [...button.childNodes], text = () => button.dataset.copy || location.href;
  button.hidden = false;
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    let copied = await navigator.clipboard?.writeText(text()).then(() => true, () => false);
    if (!copied) {
      const field = Object.assign(document.createElement("textarea"), { value: text(), className: "hidden" });
      document.body.append(field);
      field.select();
      copied = document.execCommand("copy");
      field.remove();
      button.focus();
    }
    button.textContent = !copied ? "Could not be copied" : button.dataset.copy ? "Copied" : "Link copied";
    setTimeout(() => button.replaceChildren(...says), 2000);
  });
}

// data-zoom: an image opens large. + and − or a tap change its size, arrows and fingers move it, Escape closes it, and
// the focus is where it was.
const zoom = (link) => {
  const small = link.querySelector("img");
  const dialog = document.createElement("dialog");
  dialog.className = "large";
  dialog.setAttribute("aria-label", small.alt || "Image");
  dialog.innerHTML = '<form method="dialog"><button type="button" class="button" value="-" aria-label="Smaller">−</button>'
    + '<button type="button" class="button" value="+" aria-label="Larger">+</button><output></output><button class="button">Close</button></form>'
    + '<div class="pan" tabindex="0" role="region" aria-label="Image, moved by the arrow keys"><div class="picture"><img></div></div>';
  const [pan, picture, image] = [".pan", ".picture", "img"].map((one) => dialog.querySelector(one));
  image.alt = small.alt;
  const boxes = link.parentElement.querySelector(":scope > svg");
  if (boxes && getComputedStyle(boxes).display !== "none") picture.append(boxes.cloneNode(true));
  const whole = new Image();
  whole.addEventListener("load", () => { image.src = whole.src; });
  let scale = 1;
  const show = (wanted, x = 0.5, y = 0.5) => {
    scale = Math.min(8, Math.max(1, wanted));
    const ratio = image.naturalWidth / image.naturalHeight || 1.5;
    picture.style.width = `${Math.min(pan.clientWidth, pan.clientHeight * ratio) * scale}px`;
    pan.scrollTo(picture.clientWidth * x - pan.clientWidth / 2, picture.clientHeight * y - pan.clientHeight / 2);
    dialog.querySelector("output").textContent = `${Math.round(100 * scale)} %`;
  };
  const resized = () => show(scale);
  dialog.addEventListener("keydown", (event) => {
    event.stopPropagation();  // the page's own keys rest
    const next = { "+": scale * 1.5, "=": scale * 1.5, "-": scale / 1.5, 0: 1 }[event.key];
    if (next && !event.ctrlKey && !event.metaKey) show(next);
  });
  dialog.addEventListener("click", (event) => {
    const { value } = event.target;
    if (value === "+" || value === "-") show(value === "+" ? scale * 1.5 : scale / 1.5);
    else if (event.target.closest(".picture")) {
      const box = picture.getBoundingClientRect();
      show(scale > 1 ? 1 : 2.5, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    } else if (event.target === pan) dialog.close();
  });
  dialog.addEventListener("close", () => { removeEventListener("resize", resized); dialog.remove(); link.focus(); });
  addEventListener("resize", resized);
  document.body.append(dialog);
  dialog.showModal();
  pan.focus();
  image.addEventListener("load", resized);  // of the small one, which is mostly there, and of the whole
  image.src = small.currentSrc || small.src;
  whole.src = link.href;
  show(1);
};
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-zoom]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  zoom(link);
});

// data-auto: a form whose choices take effect at once; those of a menu when it is closed.
for (const form of document.querySelectorAll("form[data-auto]")) {
  form.addEventListener("change", (event) => {
    const menu = event.target.closest("details.menu");
    if (menu) menu.dataset.changed = "";
    else if (!event.target.matches("input[type=text], input[type=search]")) form.requestSubmit();
  });
  for (const menu of form.querySelectorAll("details.menu")) {
    menu.addEventListener("toggle", () => {
      if (!menu.open && "changed" in menu.dataset) form.requestSubmit(menu.querySelector("button"));
    });
    document.addEventListener("click", (event) => { if (!menu.contains(event.target)) menu.open = false; });
    menu.addEventListener("keydown", (event) => { if (event.key === "Escape") menu.open = false; });
  }
}

// Who wants to see trigger boxes sees them on the next samples too.
for (const box of document.querySelectorAll(".explorer .show-trigger")) {
  box.checked = sessionStorage.getItem("trigger") === "shown";
  box.addEventListener("change", () => sessionStorage.setItem("trigger", box.checked ? "shown" : ""));
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

// form#compare: its button says how many runs are ticked, and another takes all ticks away.
const MOST_COMPARED = 20;
const ticked = () => {
  const form = document.querySelector("form#compare");
  if (!form) return;
  const n = [...form.elements].filter((one) => one.checked).length, button = form.querySelector("button:not([type])");
  button.textContent = n > MOST_COMPARED ? `${n} ticked, at most ${MOST_COMPARED} compare` : n > 1 ? `Compare ${n} runs`
    : form.matches(".pick") ? "Compare" : n ? "Compare with another run" : "Compare ticked";
  button.disabled = n > MOST_COMPARED || (n < 2 && form.matches(".pick"));
  let clear = form.querySelector("button[type=reset]");
  if (!clear) {
    clear = Object.assign(document.createElement("button"), { type: "reset", className: "button", textContent: "Clear" });
    button.before(clear);
  }
  clear.hidden = !n || form.matches(".pick");
};
document.addEventListener("change", (event) => { if (event.target.form?.id === "compare") ticked(); });
document.addEventListener("reset", (event) => {
  if (event.target.matches("form#compare")) setTimeout(() => {
    ticked();
    document.querySelectorAll("form[data-filter]").forEach(filter);
    event.target.querySelector("button:not([type])").focus();
  });
});
addEventListener("pageshow", ticked);  // a browser that goes back brings ticks along

// Parts of a report as they are now; one that is being used stays as it is.
const redraw = async () => {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok || answer.headers.has("refresh")) return false;  // it is being counted
  const found = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of document.querySelectorAll(".articles :is(header, section)[id]")) {
    const now = found.getElementById(part.id);
    if (now && !part.querySelector("form, details[open]") && !part.contains(document.activeElement)) part.replaceWith(now);
  }
  document.title = found.title;
  return true;
};

// data-live: asks how far a run is until it has ended, and shows its numbers as they come.
for (const box of document.querySelectorAll("[data-live]")) {
  let drawn = -1, last = Date.now();
  const ask = async () => {
    const answer = await fetch(box.dataset.live, { headers: { accept: "application/json" } }).catch(() => null);
    if (answer && answer.ok) {
      const { n, of, going, state } = await answer.json();
      box.querySelector("progress").max = of;
      box.querySelector("progress").value = n;
      box.querySelector("output").textContent = `${n} of ${of} answers, ${state}`;
      if (!going) return location.reload();
      if (n !== drawn && Date.now() - last > 4000 && !document.hidden && await redraw()) [drawn, last] = [n, Date.now()];
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
    for (const form of found ? document.querySelectorAll("main form[data-filter]") : []) {  // it and its fields stay
      found.querySelector("form[data-filter]")?.replaceWith(form);
    }
    for (const box of document.querySelectorAll("main input[form]:checked")) {  // ticked, and to stay so
      const now = found?.querySelector(`input[form][value="${CSS.escape(box.value)}"]`);
      if (now) now.checked = true;
    }
    if (found) document.querySelector("main").replaceWith(found);
    ticked();
    for (const form of found?.querySelectorAll("form[data-filter]") ?? []) filter(form);
    if (found && focused) found.querySelector(focused)?.focus();
    else if (found?.contains(active)) active.focus();
  }
  setTimeout(again, 3000);
};
setTimeout(again, 3000);

// form.desk: nobody labels what they have not seen. What gives a label rests until every image is there. Where one cannot
// be shown, the page says so, and whoever labels without it does so by a button that says that. Skip and undo never rest.
for (const form of document.querySelectorAll("form.desk")) {
  const images = [...form.querySelectorAll(".ask img")];
  const givesLabel = form.querySelectorAll(".labels fieldset, .labels button[value=rate]");
  const message = Object.assign(document.createElement("p"), { className: "nothing unseen", hidden: true });
  message.setAttribute("role", "status");
  let withoutImage = false;

  const isLoaded = (image) => image.complete && image.naturalWidth > 0;
  const hasFailed = (image) => image.complete && image.naturalWidth === 0;
  const button = (text, act) => {
    const made = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: text });
    made.addEventListener("click", act);
    return made;
  };

  const look = () => {
    const isOpen = withoutImage || images.every(isLoaded);
    for (const control of givesLabel) control.disabled = !isOpen;
    form.toggleAttribute("data-seen", isOpen);
    if (isOpen) message.hidden = true;
    else if (images.some(hasFailed)) offerToGoOn();
  };
  const offerToGoOn = () => {
    message.replaceChildren(
      "The image could not be loaded. ",
      button("Load it again", () => location.reload()),
      button("Label without it", () => { withoutImage = true; look(); }),
    );
    message.hidden = false;
  };
  const sayThatItLoads = () => {
    if (form.hasAttribute("data-seen") || !message.hidden) return;
    message.textContent = "The image is being loaded. You can label when it is there.";
    message.hidden = false;
  };

  form.querySelector(".ask")?.before(message);
  for (const image of images) {
    image.addEventListener("load", look);
    image.addEventListener("error", look);
  }
  look();
  setTimeout(sayThatItLoads, 500);  // mostly it is there before anybody could read this
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
    if (event.repeat || choice.matches(":disabled")) return;
    choice.checked = true;
    settled();
  });
  form.addEventListener("change", (event) => { if (event.target.matches("input[type=radio]")) settled(); });
  mark();
}
