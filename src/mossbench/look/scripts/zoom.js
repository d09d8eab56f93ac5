// a[data-zoom]: an image opens large. + and − or a tap change its size, arrows and fingers move it, Escape closes it,
// and the focus is where it was.

const ZOOM_STEP = 1.5;
const ZOOM_OF_TAP = 2.5;
const MOST_ZOOM = 8;
const ZOOM_DIALOG = [
  '<form method="dialog">',
  '<button type="button" class="button" value="-" aria-label="Smaller">−</button>',
  '<button type="button" class="button" value="+" aria-label="Larger">+</button>',
  "<output></output>",
  '<button class="button">Close</button>',
  "</form>",
  '<div class="pan" tabindex="0" role="region" aria-label="Image, moved by the arrow keys">',
  '<div class="picture"><img></div>',
  "</div>",
].join("");

function makeZoomDialog(link, smallImage) {
  const dialog = document.createElement("dialog");
  dialog.className = "large";
  dialog.setAttribute("aria-label", smallImage.alt || "Image");
  dialog.innerHTML = ZOOM_DIALOG;
  dialog.querySelector("img").alt = smallImage.alt;
  const shown = link.contains(smallImage) ? link : smallImage;
  const triggerBoxes = shown.parentElement.querySelector(":scope > svg");
  if (triggerBoxes && getComputedStyle(triggerBoxes).display !== "none") {
    dialog.querySelector(".picture").append(triggerBoxes.cloneNode(true));
  }
  return dialog;
}

// Gives the image of the dialog a size; x and y, as fractions of it, come to the middle. Returns the scale it has then.
function setZoom(dialog, wantedScale, x = 0.5, y = 0.5) {
  const pan = dialog.querySelector(".pan");
  const picture = dialog.querySelector(".picture");
  const image = dialog.querySelector("img");
  const scale = Math.min(MOST_ZOOM, Math.max(1, wantedScale));
  const ratio = image.naturalWidth / image.naturalHeight || 1.5;
  picture.style.width = `${Math.min(pan.clientWidth, pan.clientHeight * ratio) * scale}px`;
  pan.scrollTo(picture.clientWidth * x - pan.clientWidth / 2, picture.clientHeight * y - pan.clientHeight / 2);
  dialog.querySelector("output").textContent = `${Math.round(100 * scale)} %`;
  return scale;
}

// The image in the link; a link in words is about the image of its card.
function imageOf(link) {
  return link.querySelector("img") ?? link.closest("article")?.querySelector("img");
}

function openLarge(link, smallImage) {
  const dialog = makeZoomDialog(link, smallImage);
  const pan = dialog.querySelector(".pan");
  const picture = dialog.querySelector(".picture");
  const image = dialog.querySelector("img");
  let scale = 1;

  const zoomTo = (wantedScale, x, y) => {
    scale = setZoom(dialog, wantedScale, x, y);
  };
  const keepZoom = () => zoomTo(scale);
  const zoomAtTap = (event) => {
    const box = picture.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width;
    const y = (event.clientY - box.top) / box.height;
    zoomTo(scale > 1 ? 1 : ZOOM_OF_TAP, x, y);
  };

  dialog.addEventListener("keydown", (event) => {
    event.stopPropagation(); // the page's own keys rest
    const larger = scale * ZOOM_STEP;
    const wantedScale = { "+": larger, "=": larger, "-": scale / ZOOM_STEP, 0: 1 }[event.key];
    if (wantedScale && !event.ctrlKey && !event.metaKey) zoomTo(wantedScale);
  });
  dialog.addEventListener("click", (event) => {
    const { target } = event;
    if (target.value === "+") zoomTo(scale * ZOOM_STEP);
    else if (target.value === "-") zoomTo(scale / ZOOM_STEP);
    else if (target.closest(".picture")) zoomAtTap(event);
    else if (target === pan) dialog.close();
  });
  dialog.addEventListener("close", () => {
    removeEventListener("resize", keepZoom);
    dialog.remove();
    link.focus();
  });
  addEventListener("resize", keepZoom);

  document.body.append(dialog);
  dialog.showModal();
  pan.focus();
  image.addEventListener("load", keepZoom); // of the small one, which is mostly there, and of the whole
  image.src = smallImage.currentSrc || smallImage.src;
  const wholeImage = new Image();
  wholeImage.addEventListener("load", () => {
    image.src = wholeImage.src;
  });
  wholeImage.src = link.href;
  zoomTo(1);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-zoom]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const smallImage = imageOf(link);
  if (!smallImage) return; // the link opens the image itself
  event.preventDefault();
  openLarge(link, smallImage);
});
