// The screen for all, drawn for its window: from 1000 px on as for a television, below that as a spectator's page.
const wide = matchMedia("(min-width: 1000px)");
const drawn = !new URLSearchParams(location.search).has("small");
if (wide.matches !== drawn) location.replace(wide.matches ? location.pathname : `${location.pathname}?small=1`);
else {
  // What a television shows has its final size in the first frame: it is hidden until `screen.js` has fitted it. If a
  // script fails, or does not come for long, it is shown as it is.
  const show = () => document.documentElement.classList.remove("unfit");
  document.documentElement.classList.toggle("unfit", drawn);
  for (const kind of ["error", "unhandledrejection"]) addEventListener(kind, show, true);
  setTimeout(show, 20_000);
  wide.addEventListener("change", () => location.reload());
}
