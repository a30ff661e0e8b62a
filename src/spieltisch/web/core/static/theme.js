// Runs before the first paint: the theme somebody chose on this device, also for the bar of a phone.
const chosen = localStorage.getItem("theme");
if (localStorage.getItem("quiet") === "yes") document.documentElement.dataset.quiet = "";
if (chosen) showTheme(chosen);

function showTheme(theme) {
  document.documentElement.dataset.theme = theme;
  for (const one of document.querySelectorAll("meta[name=theme-color]")) {
    one.dataset.media ??= one.media;
    one.media = one.dataset.media.includes(theme) ? "all" : "not all";
  }
}
