// details.menu: a menu over the page, which a click beside it or Escape closes. shown_runs.js and forms.js use it.

function closeMenuFromOutside(menu) {
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape") menu.open = false;
  });
}

// On a narrow screen the pages in the bar scroll sideways: the one that is open comes into view.
document.querySelector(".bar [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
