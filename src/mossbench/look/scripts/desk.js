// form.desk: nobody labels what they have not seen. The keys for labels are disabled until every image is loaded. Where
// one cannot be loaded, the page says so, and a button allows labelling without it. Skip and undo are never disabled.

const LOADING_IS_SHOWN_AFTER_MS = 500; // mostly the image is loaded sooner

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

function disableUntilImagesAreLoaded(form) {
  const images = [...form.querySelectorAll(".ask img")];
  const givesLabel = form.querySelectorAll(".labels fieldset, .labels button[value=rate]");
  const message = Object.assign(document.createElement("p"), { className: "nothing unseen", hidden: true });
  message.setAttribute("role", "status");
  let isWithoutImage = false;

  const update = () => {
    const isOpen = isWithoutImage || images.every(isLoaded);
    for (const control of givesLabel) control.disabled = !isOpen;
    form.toggleAttribute("data-seen", isOpen);
    if (isOpen) message.hidden = true;
    else if (images.some(hasFailed)) offerReloadOrLabel();
  };
  const labelWithoutImage = () => {
    isWithoutImage = true;
    update();
  };
  const offerReloadOrLabel = () => {
    message.replaceChildren(
      "The image could not be loaded. ",
      makeButton("Reload", () => location.reload()),
      makeButton("Label without it", labelWithoutImage),
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
  update();
  setTimeout(showThatItLoads, LOADING_IS_SHOWN_AFTER_MS);
}

for (const form of document.querySelectorAll("form.desk")) disableUntilImagesAreLoaded(form);
