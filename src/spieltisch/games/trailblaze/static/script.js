// Trailblaze, enhanced: the field shows the stone that will lie there, the button says where, cards glide.

import { bring, toTop } from "../newest.js";
import { afterwards } from "../staging.js";
import { countUp } from "./points.js";

let lay = new Map(); // card -> whether it lay in the middle

export function enhance(table) {
  if (table.querySelector("#over")) afterwards("count", () => countUp(table));
  else countUp(table);
  const now = new Map();
  for (const card of table.querySelectorAll("[data-glide]")) {
    const middle = card.matches(".mid, .bigcard + .bigcard"),
      before = lay.get(card.dataset.glide);
    now.set(card.dataset.glide, middle);
    if (before !== undefined && before !== middle) {
      // swapped: one passes over, one under the other
      card.style.viewTransitionClass = middle ? "under" : "over";
      card.classList.add("swapped");
    }
    if (card.checkVisibility?.() ?? true) card.style.viewTransitionName = `c-${card.dataset.glide}`;
  }
  lay = now;
  const next = table.querySelector(".nextround");
  next?.addEventListener("toggle", () => {
    toTop(table);
    if (next.open) (table.querySelector("#swap") ?? table.querySelector("#dock")).focus({ preventScroll: true });
  });
  preview(table);
  table.onchange = (event) => {
    if (event.target.name === "pattern") bring(table.querySelectorAll(".board .pick"));
    preview(table);
  };
}

function preview(table) {
  const pattern = table.querySelector("[name=pattern]:checked ~ .stone .pt");
  for (const stone of table.querySelectorAll(".board .pick .stone:not(.bonus)")) {
    stone.querySelector(".pt")?.remove();
    if (pattern) stone.append(pattern.cloneNode(true));
  }
  const lay = table.querySelector("[data-lay]");
  const field = table.querySelector(".board .pick :checked");
  if (!lay) return;
  lay.dataset.plain ??= lay.textContent;
  lay.textContent = field ? lay.dataset.lay.replace("{words}", field.dataset.place) : lay.dataset.plain;
}
