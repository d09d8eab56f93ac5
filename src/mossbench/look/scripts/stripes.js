// data-stripes: a strip with a stripe for each sample. A stripe leads to its sample; before that, its id is shown.

function makeStripesLead(strip) {
  const nSamples = Number(strip.dataset.n);
  const ids = strip.dataset.ids ? strip.dataset.ids.split(" ") : [];

  // The number of the sample under the pointer, from 1 on; undefined beside the stripes.
  const sampleAt = (event) => {
    const box = event.target.closest("td svg")?.getBoundingClientRect();
    if (!box) return undefined;
    const number = Math.ceil((nSamples * (event.clientX - box.left)) / box.width);
    return Math.min(nSamples, Math.max(1, number));
  };
  const pageOf = (number) => strip.dataset.pages?.split(" ")[number - 1] ?? strip.dataset.stripes + number;
  const nameOf = (number) => {
    const id = ids.length === nSamples ? `: ${ids[number - 1]}` : "";
    return `${number} of ${nSamples}${id}`;
  };

  strip.addEventListener("click", (event) => {
    const number = sampleAt(event);
    if (number) location.assign(pageOf(number));
  });
  strip.addEventListener("pointermove", (event) => {
    const number = sampleAt(event);
    strip.querySelector("output").textContent = number ? nameOf(number) : "";
  });
}

for (const strip of document.querySelectorAll("[data-stripes]")) makeStripesLead(strip);
