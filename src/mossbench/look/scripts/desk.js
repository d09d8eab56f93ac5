// form.desk: nobody labels what they have not seen. The keys for labels are disabled until every image is shown. Where
// one cannot be loaded, the page says so, and a button allows labelling without it. Skip and undo are never disabled. A
// key that comes too early saves nothing, and the page says that too.

const LOADING_IS_SHOWN_AFTER_MS = 500; // mostly the image is loaded sooner
const SHORTEST_LOOK_MS = 100; // a key that comes sooner was meant for the item before

function isLoaded(image) {
  return image.complete && image.naturalWidth > 0;
}

function hasFailed(image) {
  return image.complete && image.naturalWidth === 0;
}

function makeButton(text, act) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "button", textContent: text });
  button.addEventListener("click", act);
  return button;
}

function makeMessage(className) {
  const message = Object.assign(document.createElement("p"), { className: `nothing ${className}`, hidden: true });
  message.setAttribute("role", "status");
  return message;
}

function disableLabels(form, isDisabled) {
  const givesLabel = form.querySelectorAll(".labels fieldset, .labels button[value=rate]");
  for (const control of givesLabel) control.disabled = isDisabled;
  form.toggleAttribute("data-seen", !isDisabled);
}

function disableUntilImagesAreLoaded(form) {
  const images = [...form.querySelectorAll(".ask img")];
  const message = makeMessage("unseen");

  const open = () => {
    if (!form.isConnected) return;
    message.hidden = true;
    disableLabels(form, false);
  };
  const openOnceSeen = () => requestAnimationFrame(() => setTimeout(open, SHORTEST_LOOK_MS));
  const update = () => {
    if (images.every(isLoaded)) openOnceSeen();
    else if (images.some(hasFailed)) offerReloadOrLabel();
  };
  const offerReloadOrLabel = () => {
    message.replaceChildren(
      "The image could not be loaded. ",
      makeButton("Reload", () => location.reload()),
      makeButton("Label without it", open),
    );
    message.hidden = false;
  };
  const showThatItLoads = () => {
    if (form.hasAttribute("data-seen") || !message.hidden) return;
    message.textContent = "Loading the image. You can label once it is shown.";
    message.hidden = false;
  };

  form.querySelector(".ask")?.before(message);
  for (const image of images) {
    image.addEventListener("load", update);
    image.addEventListener("error", update);
  }
  disableLabels(form, true);
  update();
  setTimeout(showThatItLoads, LOADING_IS_SHOWN_AFTER_MS);
}

// Says that a key saved nothing, because what it would have labelled was not shown yet.
function sayKeyWasEarly(form, key) {
  const message = form.querySelector(".early") ?? makeMessage("early");
  message.textContent = `Key ${key} came before this was shown. It saved nothing.`;
  message.hidden = false;
  form.querySelector(".labels").prepend(message);
}

function noticeEarlyKey(event) {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.target.closest(TYPED_INTO)) return;
  const control = document.querySelector(`form.desk [data-key="${CSS.escape(event.key.toLowerCase())}"]`);
  if (control?.matches(":disabled")) sayKeyWasEarly(control.form, event.key);
}

document.addEventListener("keydown", noticeEarlyKey, true); // first: the key may show the next item
for (const form of document.querySelectorAll("form.desk")) disableUntilImagesAreLoaded(form);
