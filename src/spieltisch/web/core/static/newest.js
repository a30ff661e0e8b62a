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
  if (!inSight(newest)) newest.scrollIntoView({ block: "center", behavior: still() ? "instant" : "smooth" });
}

function inSight(one) {
  const { top, bottom } = one.getBoundingClientRect();
  const dock = document.getElementById("dock").getBoundingClientRect();
  const low = dock.top > 100 ? dock.top : innerHeight; // held sideways the dock stands beside the table
  return top >= 46 && bottom <= low;
}

// Of places to choose from one is in sight: the nearest is brought there, unless one is.
export function bring(places) {
  const all = [...places];
  if (!all.length || all.some(inSight)) return;
  const far = (one) => Math.abs(one.getBoundingClientRect().top - innerHeight / 2);
  all.reduce((near, one) => (far(one) < far(near) ? one : near)).scrollIntoView({ block: "nearest" });
}

// What is new from its beginning on stands at the top, wherever one was in what stood there before.
export function toTop(table) {
  scrollTo(0, 0);
  table.querySelector("#stage").scrollTop = 0;
}

document.addEventListener("click", (event) => {
  const newest = event.target.closest?.("#news[href]") && document.getElementById("newest");
  if (!newest?.checkVisibility()) return;
  event.preventDefault();
  move(newest);
  restart(newest, "pulse");
});
