// What has just come is shown to those who look on: it is moved into view and pulses once. Who is choosing, or has a
// finger on the page, is left where they are; the line of news brings them there.

import { restart, still } from "./settings.js";

let shown = document.getElementById("news")?.dataset.seq; // the last news that the page has shown
let fingers = 0;

for (const kind of ["touchstart", "touchend", "touchcancel"]) {
  addEventListener(kind, (event) => (fingers = event.touches.length), { capture: true, passive: true });
}

// Where the newest card is, seen from here: the line's arrow points there, and is gone when it can be seen.
const watch = new IntersectionObserver(
  ([{ target, isIntersecting, boundingClientRect: box }]) => {
    const line = document.getElementById("news");
    if (line && target.isConnected) line.dataset.where = isIntersecting ? "here" : box.top < 100 ? "above" : "below";
  },
  { rootMargin: "-56px 0px -40px", threshold: 0.6 },
);

const first = document.getElementById("newest");
if (first) watch.observe(first);

export function arrive(table) {
  const line = table.querySelector("#news"),
    newest = table.querySelector("#newest");
  const fresh = line && line.dataset.seq !== shown;
  if (line) shown = line.dataset.seq;
  watch.disconnect();
  if (!newest?.checkVisibility()) return;
  watch.observe(newest);
  if (!fresh || "mine" in line.dataset) return;
  if (!busy(table)) move(newest);
  restart(newest, "pulse");
}

function busy(table) {
  const chosen = [...table.querySelectorAll("input[form=move]")].some((one) => one.checked !== one.defaultChecked);
  return fingers > 0 || chosen || table.querySelector(":popover-open") !== null;
}

function move(newest) {
  const { top, bottom } = newest.getBoundingClientRect();
  const dock = document.getElementById("dock").getBoundingClientRect();
  const low = dock.top > 100 ? dock.top : innerHeight; // where nothing sticks, it may be anywhere
  if (top < 64 || bottom > low) newest.scrollIntoView({ block: "center", behavior: still() ? "instant" : "smooth" });
}

document.addEventListener("click", (event) => {
  const newest = event.target.closest?.("#news[href]") && document.getElementById("newest");
  if (!newest?.checkVisibility()) return;
  event.preventDefault();
  move(newest);
  restart(newest, "pulse");
});
