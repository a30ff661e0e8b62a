// Anno Domini, enhanced: the gap shows the card that will lie there, seats open their cards, cards glide.

const MOST = 40; // cards that glide at once

export function enhance(table) {
  keepSheet(table);
  const gliding = [...table.querySelectorAll("[data-glide]")].filter((card) => card.checkVisibility?.() ?? true);
  for (const card of gliding.slice(0, MOST)) card.style.viewTransitionName = `c-${card.dataset.glide}`;
  const next = table.querySelector(".nextround");
  next?.addEventListener("toggle", () => { if (next.open) table.querySelector("#dock").focus(); });
  table.onchange = (event) => preview(table, event.target);
  table.onclick = (event) => {
    const seat = event.target.closest("a[data-seat]");
    if (seat) showHand(table, seat.dataset.seat, event);
  };
  preview(table);
}

// The sheet stands in the fragment, for pages without scripts; once more in the head, it is never loaded anew.
function keepSheet(table) {
  const sheet = table.querySelector("link[rel=stylesheet]");
  if (!sheet || document.head.querySelector(`link[href="${sheet.getAttribute("href")}"]`)) return;
  document.head.append(sheet.cloneNode());
}

function preview(table, changed) {
  const card = table.querySelector("[name=card]:checked");
  const text = card?.closest("label").querySelector(".serif").textContent ?? "";
  for (const ghost of table.querySelectorAll(".gtext")) ghost.textContent = text;
  const gap = table.querySelector(".gap:has(:checked)");
  if (card && gap && changed) gap.scrollIntoView({ block: "nearest" });
}

// Their cards lie in the side panel or beneath the chain, wherever this screen has room.
function showHand(table, seat, event) {
  const hand = [...table.querySelectorAll(`details[data-hand="${seat}"]`)].find((one) => one.parentElement.checkVisibility?.() ?? true);
  if (!hand) return;
  event.preventDefault();
  hand.open = true;
  hand.scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" });
  hand.querySelector("summary").focus({ preventScroll: true });
}
