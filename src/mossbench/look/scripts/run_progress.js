// data-live: asks how far a run is until it has ended, and shows its numbers as they come.

const PROGRESS_EVERY_MS = 2000;
const REDRAWN_AT_MOST_EVERY_MS = 4000;

// This page as it is now; null where it cannot be read, or where the answer only says that it is being made.
async function fetchPage() {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok || answer.headers.has("refresh")) return null;
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// Shows the parts of a report as they are now; one that is being used stays as it is.
async function redrawReport() {
  const page = await fetchPage();
  if (!page) return false;
  for (const part of document.querySelectorAll(".articles :is(header, section)[id]")) {
    const newPart = page.getElementById(part.id);
    const isUsed = part.querySelector("form, details[open]") || part.contains(document.activeElement);
    if (newPart && !isUsed) part.replaceWith(newPart);
  }
  document.title = page.title;
  return true;
}

function followRun(box) {
  let nDrawn = -1;
  let drawnAt = Date.now();

  const redrawIfDue = async (nAnswers) => {
    const isDue = nAnswers !== nDrawn && Date.now() - drawnAt > REDRAWN_AT_MOST_EVERY_MS && !document.hidden;
    if (!isDue || !(await redrawReport())) return;
    nDrawn = nAnswers;
    drawnAt = Date.now();
  };
  const askForProgress = async () => {
    const answer = await fetch(box.dataset.live, { headers: { accept: "application/json" } }).catch(() => null);
    if (answer?.ok) {
      const { n: nAnswers, of: nAll, going: isGoing, state } = await answer.json();
      const bar = box.querySelector("progress");
      bar.max = nAll;
      bar.value = nAnswers;
      box.querySelector("output").textContent = `${nAnswers} of ${nAll} answers, ${state}`;
      if (!isGoing) {
        location.reload();
        return;
      }
      await redrawIfDue(nAnswers);
    }
    setTimeout(askForProgress, PROGRESS_EVERY_MS);
  };

  askForProgress();
}

for (const box of document.querySelectorAll("[data-live]")) followRun(box);
