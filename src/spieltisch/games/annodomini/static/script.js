// Anno Domini, enhanced: the gap shows the card that will lie there, seats open their cards, cards glide.

import { setting } from "../settings.js";

const SLIP = 30; // px that a press may move and still lays the card
const MOST = 40; // cards that glide at once
let shown = null; // the reveal that was last looked at

export function enhance(table) {
  const gliding = [...table.querySelectorAll("[data-glide]")].filter((card) => card.checkVisibility?.() ?? true);
  for (const card of gliding.slice(0, MOST)) card.style.viewTransitionName = `c-${card.dataset.glide}`;
  const next = table.querySelector(".nextround");
  const fresh = next && !next.open && next.id !== shown;
  if (fresh) toTop(table);
  shown = next?.id ?? null;
  next?.addEventListener("toggle", () => {
    toTop(table);
    if (next.open) table.querySelector("#dock").focus({ preventScroll: true });
  });
  table.onchange = (event) => preview(table, event.target);
  table.onclick = (event) => {
    const seat = event.target.closest("a[data-seat]");
    if (seat) showHand(table, seat.dataset.seat, event);
  };
  table.onpointerdown = (event) => press(table, event);
  preview(table);
  const orders = table.querySelector(".orders");
  if (orders) tapInOrder(orders);
  if (fresh) pay(table);
}

// Penalty cards glide on to whoever has to draw them.
function pay(table) {
  const pen = table.querySelector(".pen[data-to]");
  const mark = pen && table.querySelector(`.seats [data-seat="${pen.dataset.to}"] .seat-mark`);
  if (!mark || !(pen.checkVisibility?.() ?? false)) return;
  const to = mark.getBoundingClientRect(),
    held = mark.closest("[data-seat]").querySelector(".cnt .num");
  held.textContent -= pen.children.length; // each is counted as it arrives
  const row = pen.getBoundingClientRect();
  for (const [n, card] of [...pen.children].entries()) {
    // from where it will lie when it has been dealt
    const x = row.x + card.offsetLeft - pen.offsetLeft,
      y = row.y + card.offsetTop - pen.offsetTop;
    const flying = document.createElement("i");
    flying.className = "flying";
    flying.style.setProperty("--n", n);
    for (const [name, at] of [
      ["left", x],
      ["top", y],
      ["--x", to.x - x],
      ["--y", to.y - y],
    ]) {
      flying.style.setProperty(name, `${at}px`);
    }
    table.append(flying);
    Promise.allSettled(flying.getAnimations().map((one) => one.finished)).then(() => {
      flying.remove();
      held.textContent = Number(held.textContent) + 1;
    });
  }
}

function toTop(table) {
  scrollTo(0, 0);
  table.querySelector("#stage").scrollTop = 0;
}

function preview(table, changed) {
  const card = table.querySelector("[name=card]:checked");
  const text = card?.closest("label").querySelector(".serif").textContent ?? "";
  for (const ghost of table.querySelectorAll(".gtext")) ghost.textContent = text;
  const gap = table.querySelector(".gap:has(:checked)");
  if (card && gap && changed) gap.scrollIntoView({ block: "nearest" });
}

// Where placing needs no tap of its own: a press shows the card in its place, letting go lays it, sliding off does not.
function press(table, down) {
  const gap = down.target.closest(".gap .pick")?.closest(".gap");
  if (!gap || down.button || setting("confirm") || !table.querySelector("[name=card]:checked")) return;
  const radio = gap.querySelector("[name=at]");
  radio.checked = true;
  const stop = new AbortController();
  const end = (up) => {
    stop.abort();
    if (up.type === "pointerup" && Math.hypot(up.clientX - down.clientX, up.clientY - down.clientY) < SLIP) {
      gap.querySelector("button").click();
    } else radio.checked = false;
  };
  addEventListener("pointerup", end, stop);
  addEventListener("pointercancel", end, stop);
}

// Their cards lie in the side panel or beneath the chain, wherever this screen has room.
function showHand(table, seat, event) {
  const hand = [...table.querySelectorAll(`details[data-hand="${seat}"]`)].find(
    (one) => one.parentElement.checkVisibility?.() ?? true,
  );
  if (!hand) return;
  event.preventDefault();
  hand.open = true;
  hand.scrollIntoView({
    block: "nearest",
    behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth",
  });
  hand.querySelector("summary").focus({ preventScroll: true });
}

// Instead of all orders in a list: tap the cards one after the other, earliest first. Another tap takes them back.
function tapInOrder(orders) {
  const choices = [...orders.querySelectorAll("[data-cards]")];
  const tapper = document.createElement("div");
  const picked = [];
  tapper.className = "tapper";
  tapper.setAttribute("role", "group");
  tapper.setAttribute("aria-label", orders.querySelector("legend").textContent);
  for (const item of choices[0].querySelectorAll("li")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "card serif";
    button.id = `tap-${item.dataset.card}`;
    button.dataset.card = item.dataset.card;
    button.append(...[...item.children].map((child) => child.cloneNode(true)));
    tapper.append(button);
  }
  const buttons = [...tapper.children];
  const draw = () => {
    // the last one has no choice left
    const rest = buttons.filter((button) => !picked.includes(button.dataset.card));
    const order = rest.length === 1 ? [...picked, rest[0].dataset.card] : picked;
    for (const button of buttons) {
      const place = order.indexOf(button.dataset.card) + 1;
      button.querySelector(".node").textContent = place || "";
      button.setAttribute("aria-pressed", place > 0);
    }
    for (const choice of choices) choice.querySelector("input").checked = choice.dataset.cards === order.join(" ");
  };
  tapper.addEventListener("click", (event) => {
    const card = event.target.closest("button")?.dataset.card;
    if (!card) return;
    const at = picked.indexOf(card);
    if (at >= 0) picked.splice(at);
    else if (picked.length < buttons.length - 1) picked.push(card);
    else picked.splice(0, picked.length, card);
    draw();
  });
  const hinted = choices.find((choice) => choice.querySelector("input").checked);
  if (hinted) picked.push(...hinted.dataset.cards.split(" ").slice(0, -1));
  draw();
  orders.hidden = true;
  orders.after(tapper);
}
