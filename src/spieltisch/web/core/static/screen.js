// The screen for all, enhanced: type as large as there is room, names that pop in, a verdict that stays long enough.
import { fit } from "./fit.js";
import { whole } from "./pages.js";
import { afterwards, staged } from "./staging.js";

const BRIEF = 2500; // ms that a verdict is shown where the next one waits
const NEW = 2000; // ms that somebody who has come is marked
const sitting = new Map(); // who sits here, and since when
let read = 0, // when the verdict that is shown could first be read
  until = 0, // when it has been seen
  verdict = null, // its name
  over = null, // whether the game was over in the last picture; null: there was none
  next = 0;

const fitters = [whole, fit, award, brief]; // what makes a picture fit; games add theirs
export function fitting(one) {
  fitters.push(one);
}

function fitAll(table) {
  for (const one of fitters) one(table);
}

// As many awards as there is room for.
function award(table) {
  const all = [...table.querySelectorAll(".tvwin .awards li")];
  const beside = all[0]?.closest(".beside");
  for (const one of all) one.hidden = false;
  for (const one of all.reverse()) {
    const heights = [...beside.children].map((each) => each.offsetHeight);
    const gaps = parseFloat(getComputedStyle(beside).rowGap) * (heights.filter(Boolean).length - 1);
    if (heights.reduce((sum, height) => sum + height, gaps) <= beside.clientHeight) break;
    one.hidden = true;
  }
}

// As many sentences of what has happened as one line has room for, while all look back.
function brief(table) {
  const words = table.querySelector(".tvlook .words");
  const all = [...(words?.children ?? [])];
  for (const one of all) one.hidden = false;
  for (const one of all.slice(1).reverse()) if (words.scrollHeight > words.clientHeight + 1) one.hidden = true;
}

// How long the picture has to stay, in ms. Less where a newer reveal waits, and not at all where the game has ended:
// phones, which hold nothing, must not be ahead.
export function stays({ reveals = false, ends = false } = {}) {
  if (ends) until = 0;
  else if (reveals) until = Math.min(until, read + BRIEF);
  return Math.max(0, until - Date.now());
}

export function enhance(table) {
  hold(table);
  afterwards("fit", () => fitAll(table)); // what the reveal has hidden
  if (staged()) fitAll(table);
  document.documentElement.classList.remove("unfit");
  greet(table);
}

// What is decided stays for a while, whatever comes. At the end the last verdict comes first, then who has won.
function hold(table) {
  const shown = table.querySelector("[data-hold]");
  const ended = table.querySelector("#over") !== null;
  const live = over !== null;
  if (shown && shown.dataset.verdict !== verdict && (live || !ended || staged())) {
    read = Date.now() + staged();
    until = read + Number(shown.dataset.hold);
  }
  verdict = shown?.dataset.verdict ?? null;
  over = ended;
  clearTimeout(next);
  const scenes = table.querySelectorAll(".scene");
  if (scenes.length < 2) return;
  const rest = stays();
  scenes.forEach((scene, n) => (scene.hidden = rest ? n > 0 : n < scenes.length - 1));
  if (rest) next = setTimeout(() => enhance(table), rest);
}

// A new name grows out of its seat's shape.
function greet(table) {
  const now = Date.now();
  const first = sitting.size === 0;
  const there = [...table.querySelectorAll("[data-sits]")];
  for (const one of there) {
    const since = sitting.get(one.dataset.sits) ?? (first ? 0 : now);
    sitting.set(one.dataset.sits, since);
    if (now - since >= NEW) continue;
    one.classList.add("in");
    one.style.setProperty("--since", `${since - now}ms`);
    setTimeout(() => one.classList.remove("in"), since + NEW - now);
  }
  for (const name of sitting.keys()) if (!there.some((one) => one.dataset.sits === name)) sitting.delete(name);
}

function again() {
  const table = document.querySelector(".tv");
  table?.toggleAttribute("data-same", true); // what was dealt is not dealt again
  if (table) fitAll(table);
}
addEventListener("resize", again);
addEventListener("told", again); // the awards have come
