// form.desk[data-ahead]: while one item is read, the next ones and their images are fetched, so that a label shows the
// next item at once. Labels are sent one after the other. What could not be saved is said, and nothing else is labelled
// until it is.

const MOST_AHEAD = 3; // items fetched before they are shown
const FIRST_PAUSE_MS = 300; // before a busy server is asked again; each further pause is twice as long
const LONGEST_PAUSE_MS = 5000;
const MOST_UNSAVED_AND_AHEAD = 8; // the server is told of so many, to find the one that follows them

const labelling = {
  nextItems: [], // each a main element with its images
  unsaved: [], // labels that the server has not confirmed
  isFetching: false,
  isAtEnd: false,
  isSending: false,
  isWaiting: false, // for the next item, which is not there yet
  afterSaving: null, // what to do when all labels are saved
  nGiven: 0, // labels that the server has confirmed
  savedText: "", // what it said of the last one
};

function deskForm() {
  return document.querySelector("form.desk[data-ahead]");
}

function itemOfForm(form) {
  return form.querySelector("input[name=item]").value; // elements.item is a method
}

// Fetching

function itemsBeforeNext() {
  const forms = [deskForm(), ...labelling.nextItems.map((main) => main.querySelector("form.desk"))];
  const refs = [...labelling.unsaved.map((label) => label.item), ...forms.map(itemOfForm)];
  return [...new Set(refs)];
}

// The main element of the next item, or of a page that says why there is none; tries again while the server is busy.
async function fetchItemAfter(refs, pause = FIRST_PAUSE_MS) {
  const answer = await fetch(`${location.pathname}?ahead=${refs.join(",")}`).catch(() => null);
  if (!answer || answer.headers.has("refresh")) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    return fetchItemAfter(refs, Math.min(2 * pause, LONGEST_PAUSE_MS));
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return document.importNode(page.querySelector("main"), true); // its images begin to load
}

async function fetchItemsAhead() {
  const refs = itemsBeforeNext();
  const isEnough = labelling.nextItems.length >= MOST_AHEAD || refs.length > MOST_UNSAVED_AND_AHEAD;
  if (labelling.isFetching || labelling.isAtEnd || isEnough) return;
  labelling.isFetching = true;
  const main = await fetchItemAfter(refs);
  labelling.isFetching = false;
  if (main.querySelector("form.desk[data-ahead]")) labelling.nextItems.push(main);
  else labelling.isAtEnd = true;
  document.body.dataset.ahead = labelling.nextItems.length;
  if (labelling.isWaiting) showNextItem();
  else fetchItemsAhead();
}

// Showing

function prepareItem(main) {
  const form = main.querySelector("form.desk");
  submitOnce(form);
  disableUntilImagesAreLoaded(form);
  form.elements.note.addEventListener("keydown", leaveNoteByKey);
  if (form.matches("[data-scale]")) rateByNumbers(form);
  foldSecondParts();
}

function showProgress() {
  const nGiven = labelling.nGiven + labelling.unsaved.length;
  document.querySelector(".progress b").textContent = nGiven + 1;
  document.querySelector(".progress progress").value = nGiven;
}

function showNextItem() {
  const main = labelling.nextItems.shift();
  labelling.isWaiting = !main && !labelling.isAtEnd;
  if (main) replaceItem(main);
  else closeItem();
  showSavedText(labelling.unsaved.length ? "Saving" : labelling.savedText);
  showProgress();
  if (!main && labelling.isAtEnd) whenAllAreSaved(() => location.assign(location.pathname));
  else fetchItemsAhead();
}

function replaceItem(main) {
  const oldMain = document.querySelector("main");
  const hadFocus = oldMain.contains(document.activeElement);
  const early = oldMain.inert ? oldMain.querySelector(".early") : null; // of a key that was meant for this item
  oldMain.replaceWith(main);
  for (const part of [".progress", ".run-figures"]) {
    main.querySelector(part)?.replaceWith(oldMain.querySelector(part)); // the new one is of before the last label
  }
  prepareItem(main);
  if (early) main.querySelector(".labels").prepend(early);
  scrollTo(0, 0);
  if (hadFocus) main.querySelector("[tabindex='-1']")?.focus({ preventScroll: true });
}

// What was labelled is not labelled again while the next item, or the page that all is done, is on its way.
function closeItem() {
  document.querySelector("main").inert = true;
  disableLabels(deskForm(), true);
}

function showSavedText(text) {
  document.querySelector(".saved > span").textContent = text;
}

// Saving

function whenAllAreSaved(act) {
  labelling.afterSaving = act;
  sendLabels();
}

async function replyOfSaving(label) {
  const request = { method: "POST", body: label.body, keepalive: true }; // sent even if the page is left
  const answer = await fetch(label.address, request).catch(() => null);
  if (!answer?.ok) return null;
  return answer.json().catch(() => null);
}

async function sendLabels() {
  if (labelling.isSending) return;
  labelling.isSending = true;
  let isSaved = true;
  while (isSaved && labelling.unsaved.length) {
    const reply = await replyOfSaving(labelling.unsaved[0]);
    isSaved = reply !== null;
    if (isSaved) showThatItIsSaved(reply);
  }
  labelling.isSending = false;
  document.body.toggleAttribute("data-saving", labelling.unsaved.length > 0);
  if (!isSaved) {
    sayNotSaved();
    return;
  }
  const act = labelling.afterSaving;
  labelling.afterSaving = null;
  act?.();
}

function showThatItIsSaved(reply) {
  labelling.unsaved.shift();
  labelling.nGiven = reply.n_given;
  labelling.savedText = reply.saved;
  if (!labelling.unsaved.length) showSavedText(reply.saved);
  document.querySelector(".progress span span").textContent = reply.n;
  document.querySelector(".progress > span:last-child").textContent = reply.skipped;
  document.querySelector(".progress progress").max = reply.n;
  const figures = document.querySelector(".run-figures");
  if (figures) figures.textContent = reply.figures;
  showProgress();
  fetchItemsAhead();
}

function sayNotSaved() {
  const form = deskForm();
  const n = labelling.unsaved.length;
  const message = form.querySelector(".unsaved") ?? makeMessage("unsaved");
  const retry = () => {
    message.remove();
    disableLabels(form, false);
    sendLabels();
  };
  const what = n === 1 ? "The last one is" : `The last ${n} are`;
  message.replaceChildren(
    `${what} not saved: the server did not answer. `,
    makeButton("Save again", retry),
    makeButton("Reload", () => location.reload()),
  );
  message.hidden = false;
  document.querySelector("main").inert = false;
  form.querySelector(".labels").prepend(message);
  disableLabels(form, true);
  showSavedText("");
}

// What the form would send.
function labelOfForm(form, submitter) {
  const body = new URLSearchParams(new FormData(form, submitter));
  body.set("stay", "1");
  return { item: itemOfForm(form), address: form.action, body };
}

function submitAndStay(event) {
  const form = event.target;
  if (!form.matches("form.desk[data-ahead]")) return;
  const isUndo = event.submitter?.value === "undo";
  if (isUndo && !labelling.unsaved.length) return; // the page of what was taken back
  event.preventDefault();
  event.stopPropagation();
  if (isUndo) {
    disableLabels(form, true);
    whenAllAreSaved(() => form.requestSubmit(event.submitter));
    return;
  }
  if (form.dataset.once) return;
  form.dataset.once = "sent";
  labelling.unsaved.push(labelOfForm(form, event.submitter));
  document.body.toggleAttribute("data-saving", true);
  sendLabels();
  showNextItem();
}

function sendWhatIsLeft() {
  for (const label of labelling.unsaved.slice(1)) replyOfSaving(label); // the first is on its way
}

function labelAhead() {
  if (!deskForm()) return;
  labelling.nGiven = document.querySelector(".progress progress").value;
  document.addEventListener("submit", submitAndStay, true);
  addEventListener("pagehide", sendWhatIsLeft);
  fetchItemsAhead();
}

labelAhead();
