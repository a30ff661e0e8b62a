// The screen for all, drawn for its window: from 1000 px on as for a television, below that as a spectator's page.
const wide = matchMedia("(min-width: 1000px)");
const drawn = !new URLSearchParams(location.search).has("small");
if (wide.matches !== drawn) location.replace(wide.matches ? location.pathname : `${location.pathname}?small=1`);
else {
  // what a television shows has its final size in the first frame: it is hidden until `screen.js` has fitted it
  document.documentElement.classList.toggle("unfit", drawn);
  setTimeout(() => document.documentElement.classList.remove("unfit"), 4000); // if that never comes
  wide.addEventListener("change", () => location.reload());
}
