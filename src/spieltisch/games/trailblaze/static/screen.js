// Trailblaze on the screen for all: where not all cards find room in the type for a class, they run past while they are
// turned over, and their pages are turned.
import { fits } from "../fit.js";
import { turn } from "../pages.js";
import { fitting } from "../screen.js";
import { staged } from "../staging.js";
import { countUp } from "./points.js";

export { enhance, stays } from "../screen.js";

fitting((table) => {
  countUp(table);
  const list = [...table.querySelectorAll(".ecards")].find((one) => one.checkVisibility());
  if (!list) return;
  list.classList.remove("film");
  if (fits(list)) return;
  const cards = [...list.children];
  if (staged()) list.classList.add("film");
  else {
    const mine = cards.findIndex((card) => card.ariaCurrent);
    turn(list, [list], cards, mine); // -1: the first page will do
  }
});
