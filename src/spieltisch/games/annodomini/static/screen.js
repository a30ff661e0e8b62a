// Anno Domini on the screen for all: where even the smallest type leaves no room, the ends of the chain are folded, and a
// reveal turns its pages. When a reveal is over, cards glide to whoever has to draw them.
import { fits } from "../fit.js";
import { taken, turn } from "../pages.js";
import { enhance as show, fitting } from "../screen.js";
import { afterwards, staged } from "../staging.js";
import { glide } from "./pay.js";

export { stays } from "../screen.js";

const MOST = 5; // cards that glide
const SPREAD = 0.04; // of the window's width from one to the next

export function enhance(table) {
  show(table);
  if (staged()) afterwards("pay", () => pay(table));
}

function pay(table) {
  const { to, draws } = table.querySelector("[data-draws]")?.dataset ?? {};
  const seat = draws && table.querySelector(`.tvs [data-seat="${to}"]`);
  if (!seat) return;
  const { x, y, width, height } = table.querySelector(".scene:not([hidden]) .tvm").getBoundingClientRect();
  const from = Array.from({ length: Math.min(draws, MOST) }, (_, n) => ({
    x: x + width / 2 + n * SPREAD * innerWidth,
    y: y + height / 3,
  }));
  glide(table, from, seat.querySelector(".seat-mark"), seat.querySelector(".cn"));
}

fitting((table) => {
  const chain = table.querySelector(".ech");
  if (chain && !fits(chain)) fold(chain);
  const reveal = [...table.querySelectorAll(".erevs:not(.film)")].find((one) => one.checkVisibility());
  if (reveal && !fits(reveal)) turn(reveal, [...reveal.querySelectorAll("ol")], [...reveal.querySelectorAll(".er")]);
});

function fold(chain) {
  const lists = [...chain.querySelectorAll("ol")];
  const cards = lists.flatMap((list) => [...list.children]);
  const newest = cards.findIndex((card) => card.classList.contains("new"));
  const ends = [...chain.querySelectorAll("[data-words]")],
    [early, late] = ends;
  const before = [lists.map((list) => [...list.children]), ends.map((end) => end.textContent)];
  taken(() => {
    lists.forEach((list, n) => list.replaceChildren(...before[0][n]));
    ends.forEach((end, n) => (end.textContent = before[1][n]));
  });
  let first = 0,
    last = cards.length;
  while (last - first > 3 && !fits(chain)) {
    if (newest - first > last - 1 - newest) cards[first++].remove();
    else cards[--last].remove();
    const half = Math.ceil((last - first) / lists.length);
    lists.forEach((list, n) => list.append(...cards.slice(first + n * half, Math.min(last, first + (n + 1) * half))));
    say(early, 1, Number(cards[first].dataset.place) - 1);
    say(late, Number(cards[last - 1].dataset.place) + 1, Number(late.dataset.all));
  }
}

function say(end, from, to) {
  if (to >= from) end.textContent = end.dataset.words.replace("{words}", from === to ? from : `${from}–${to}`);
}
