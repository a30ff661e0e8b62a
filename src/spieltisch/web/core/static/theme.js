// Runs before the first paint: the theme somebody chose on this device.
const chosen = localStorage.getItem("theme");
if (localStorage.getItem("quiet") === "yes") document.documentElement.dataset.quiet = "";
if (chosen) document.documentElement.dataset.theme = chosen;
