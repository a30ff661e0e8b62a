// Trailblaze, enhanced: the field shows the stone that will lie there, the button says where, cards glide.

export function enhance(table) {
  for (const card of table.querySelectorAll("[data-glide]")) {
    if (card.checkVisibility?.() ?? true) card.style.viewTransitionName = `c-${card.dataset.glide}`;
  }
  const next = table.querySelector(".nextround");
  next?.addEventListener("toggle", () => {
    if (next.open) (table.querySelector("#swap") ?? table.querySelector("#dock")).focus();
  });
  preview(table);
  table.onchange = () => preview(table);
}

function preview(table) {
  const pattern = table.querySelector("[name=pattern]:checked ~ .stone .pt");
  for (const stone of table.querySelectorAll(".board .pick .stone:not(.bonus)")) {
    stone.querySelector(".pt")?.remove();
    if (pattern) stone.append(pattern.cloneNode(true));
  }
  const lay = table.querySelector("[data-lay]");
  const field = table.querySelector(".board .pick :checked");
  if (lay) lay.textContent = field ? `${lay.dataset.lay}: ${field.dataset.place}` : lay.dataset.lay;
}
