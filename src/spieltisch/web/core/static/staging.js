// What is revealed comes step by step: `data-at` says when, in ms after `data-since` (by the server's clock, so that all
// pages at a table show the same at the same moment), and until `data-ends` nothing says how it ends. The picture itself
// is whole: without this script, and for who comes later or is in a hurry, all of it is there.
import { still } from "./settings.js";

let timers = [],
  coming = false, // a reveal's picture is on its way onto the page
  over = null, // the reveal that this page has shown to its end
  runs = false, // whether one runs on this page
  ends = 0; // when that ends, by this device's clock
const later = new Map(); // what is told when it is over

// `behind`: how many seconds this device's clock is behind the server's.
export function stage(table, behind) {
  timers.forEach(clearTimeout);
  timers = [];
  coming = false;
  const scene = table.querySelector("[data-staged]");
  const begun = scene && (Number(scene.dataset.since) - behind) * 1000;
  ends = scene ? begun + Number(scene.dataset.ends) : 0;
  runs = scene !== null && scene.dataset.staged !== over && Date.now() < ends;
  table.classList.toggle("staging", runs);
  if (!runs) return end(table, scene);
  const button = document.getElementById("hurrying"); // it stands in the page once, not in each picture
  if (button) table.querySelector("#dock")?.append(button.content.cloneNode(true));
  for (const [name, className] of [
    ["at", "unseen"],
    ["marked", "unmarked"],
  ]) {
    for (const one of scene.querySelectorAll(`[data-${name}]`)) {
      const rest = begun + Number(one.dataset[name]) - Date.now();
      one.classList.toggle(className, rest > 0);
      if (rest > 0) timers.push(setTimeout(() => show(one, className), rest));
    }
  }
  timers.push(setTimeout(() => end(table, scene), ends - Date.now()));
  owe(table);
}

// Cards that somebody has to draw, `data-draws` of them by the seat `data-to`, are not counted before.
function owe(table) {
  const { to, draws } = table.querySelector("[data-draws]")?.dataset ?? {};
  const held = draws && table.querySelector(`:is(.seats, .tvs) [data-seat="${to}"] :is(.cnt .num, .cn)`);
  if (!held) return;
  const all = held.textContent;
  held.textContent = all - draws;
  afterwards("owe", () => (held.textContent = all));
}

// The ms until all has been shown; 0 if nothing is being revealed. A timer may be late: what runs runs until then.
export function staged() {
  return runs ? Math.max(1, ends - Date.now()) : 0;
}

// The next picture shows a reveal: what is to be done afterwards waits for it from now on.
export function expect() {
  coming = true;
}

// Done when all has been shown: at once if nothing is on its way. What has the same name takes its place.
export function afterwards(name, what) {
  if (!staged() && !coming) return what();
  later.set(name, what);
}

function show(one, className) {
  one.classList.remove(className);
  if (className === "unseen") one.scrollIntoView({ block: "nearest", behavior: still() ? "instant" : "smooth" });
}

function end(table, scene) {
  timers.forEach(clearTimeout);
  timers = [];
  runs = false;
  if (scene) over = scene.dataset.staged;
  table.classList.remove("staging");
  for (const name of ["unseen", "unmarked"])
    for (const one of table.querySelectorAll(`.${name}`)) one.classList.remove(name);
  const told = [...later.values()];
  later.clear();
  for (const what of told) what();
}

// Who is in a hurry taps anywhere, or presses a key: on this device only. What was touched does nothing else.
function hurry(event) {
  const table = document.querySelector(".staging");
  if (!table || event.target.closest?.(".bar, [popover]")) return;
  event.preventDefault();
  event.stopPropagation();
  end(table, table.querySelector("[data-staged]"));
}
addEventListener("click", hurry, true);
addEventListener("keydown", (event) => ["Enter", " ", "Escape"].includes(event.key) && hurry(event), true);
