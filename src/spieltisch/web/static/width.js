// The screen for all, drawn for its window: from 1000 px on as for a television, below that as a spectator's page.
const wide = matchMedia("(min-width: 1000px)");
const drawn = !new URLSearchParams(location.search).has("small");
if (wide.matches !== drawn) location.replace(wide.matches ? location.pathname : `${location.pathname}?small=1`);
else wide.addEventListener("change", () => location.reload());
