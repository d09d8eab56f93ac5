// Addresses: the one shown is the one that brings this view again.

// data-address: the address of this very view, also when there is more to show by default.
function showAddressOfView() {
  for (const page of document.querySelectorAll("[data-address]")) {
    history.replaceState(null, "", page.dataset.address + location.hash);
  }
}

// Who comes back to the explorer over the bar finds the side, the filters and the sample that they left.
function rememberExplorer() {
  const page = document.querySelector("[data-address]");
  if (page) sessionStorage.setItem("explorer", page.dataset.address);
  else sessionStorage.removeItem("explorer"); // it leads to an error
}

function leadBackToExplorer() {
  const link = document.querySelector('nav a[href="/explorer"]:not([aria-current])');
  const addressLeft = sessionStorage.getItem("explorer");
  if (link && addressLeft) link.href = addressLeft;
}

showAddressOfView();
if (location.pathname === "/explorer") rememberExplorer();
else leadBackToExplorer();
