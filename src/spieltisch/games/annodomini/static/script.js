// Anno Domini, enhanced: the gap shows the card that will lie there, cards glide.

import { timeLeft } from "../clock.js";
import { bring, toTop } from "../newest.js";
import { setting, still } from "../settings.js";
import { afterwards, staged } from "../staging.js";
import { glide } from "./pay.js";

const SLIP = 30; // px that a press may move and still lays the card
const MOST = 40; // cards that glide at once
const BACK = 2000; // ms in which a card that was laid by one tap can be taken back
const SPARE = 500; // ms before the clock's end in which it is sent
let shown = null; // the reveal that was last looked at
let placed = null; // a card that lies but has not been sent: the question, the gap, until when it waits
let hand = []; // the cards that one held before

export function enhance(table) {
  const gliding = [...table.querySelectorAll("[data-glide]")].filter((card) => card.checkVisibility?.() ?? true);
  for (const card of gliding.slice(0, MOST)) {
    card.style.viewTransitionName = `c-${card.dataset.glide}`;
    if (hand.includes(card.dataset.glide)) card.style.viewTransitionClass = "held"; // it comes out of the dock
  }
  hand = [...table.querySelectorAll(".hand9 [data-glide]")].map((card) => card.dataset.glide);
  const next = table.querySelector(".nextround");
  const fresh = next && !next.open && next.id !== shown;
  if (fresh) toTop(table);
  shown = next?.id ?? null;
  next?.addEventListener("toggle", () => {
    toTop(table);
    if (next.open) table.querySelector("#dock").focus({ preventScroll: true });
  });
  table.onchange = (event) => {
    if (event.target.name === "card" && placed) takeBack(table);
    preview(table, event.target);
  };
  table.onclick = (event) => {
    if (placed && event.target.closest("#takeback, #ask-doubt")) takeBack(table);
  };
  table.onpointerdown = (event) => press(table, event);
  preview(table);
  showPlaced(table);
  const orders = table.querySelector(".orders");
  if (orders) tapInOrder(orders);
  if (table.querySelector("#surely, [data-doubted]")) {
    import("../sure.js").then(({ atTable }) => atTable(table, question(table)));
  }
  if (fresh || staged()) afterwards("pay", () => pay(table));
}

// Penalty cards glide on to whoever has to draw them, from where they will lie when they have been dealt. A short page
// does not show them lying; they come out of the dock there.
function pay(table) {
  const pen = table.querySelector(".pen[data-to]");
  const mark = pen && table.querySelector(`.seats [data-seat="${pen.dataset.to}"] .seat-mark`);
  if (!mark) return;
  const row = pen.getBoundingClientRect();
  const dock = table.querySelector("#dock").getBoundingClientRect();
  const lie = pen.checkVisibility()
    ? (card) => ({ x: row.x + card.offsetLeft - pen.offsetLeft, y: row.y + card.offsetTop - pen.offsetTop })
    : (_, n) => ({ x: dock.right - 64 - 30 * n, y: dock.top + 8 });
  glide(table, [...pen.children].map(lie), mark, mark.closest("[data-seat]").querySelector(".cnt .num"));
}

function preview(table, changed) {
  const card = table.querySelector("[name=card]:checked");
  const text = card?.closest("label").querySelector(".serif").textContent ?? "";
  for (const ghost of table.querySelectorAll(".gtext")) ghost.textContent = text;
  if (card && changed?.name === "card") bring(table.querySelectorAll(".gap .pick"));
  if (card && changed?.name === "at") changed.closest(".gap").scrollIntoView({ block: "nearest" }); // its button, too
}

// Where moves are not confirmed: a press shows the card in its place, letting go lays it, sliding off does not. What
// lies can be taken back for a moment; a second tap on it sends it at once.
function press(table, down) {
  const lies = placed && table.querySelector(`#at-${placed.at}`).closest(".gap");
  if (lies?.contains(down.target) && !down.target.closest("button")) return send(table);
  const gap = down.target.closest(".gap .pick")?.closest(".gap");
  if (!gap || down.button || setting("confirm") || !table.querySelector("[name=card]:checked")) return;
  const radio = gap.querySelector("[name=at]");
  const before = placed;
  placed = null;
  showPlaced(table);
  radio.checked = true;
  const stop = new AbortController();
  const end = (up) => {
    stop.abort();
    if (up.type === "pointerup" && Math.hypot(up.clientX - down.clientX, up.clientY - down.clientY) < SLIP) {
      placed = { question: question(table), at: radio.value, until: Date.now() + Math.min(BACK, timeLeft() - SPARE) };
    } else if (before) {
      placed = before; // slid off: the other one still lies
      table.querySelector(`#at-${before.at}`).checked = true;
    } else radio.checked = false;
    showPlaced(table);
  };
  addEventListener("pointerup", end, stop);
  addEventListener("pointercancel", end, stop);
}

function question(table) {
  return table.querySelector("#move [name=question]")?.value;
}

// The bar that takes it back, in place of what stands there otherwise. The page may have been drawn anew meanwhile.
function showPlaced(table) {
  const bar = table.querySelector("#undobar");
  clearTimeout(placed?.timer);
  if (!bar || placed?.question !== question(table)) placed = null;
  if (bar) bar.hidden = !placed;
  if (!placed) return;
  const left = Math.max(0, placed.until - Date.now());
  placed.timer = setTimeout(() => send(table), left);
  const words = table.querySelector(`#at-${placed.at}`).closest(".gap").querySelector(".hint").textContent;
  bar.querySelector("p").textContent = bar.dataset.laid.replace("{place}", words);
  const steps = still() ? "steps(2)" : "linear";
  const line = [{ transform: `scaleX(${left / BACK})` }, { transform: "scaleX(0)" }];
  bar.querySelector("i").animate(line, { duration: left, easing: steps, fill: "forwards" });
}

function takeBack(table) {
  const radio = table.querySelector(`#at-${placed.at}`);
  clearTimeout(placed.timer);
  placed = null;
  if (radio) radio.checked = false;
  showPlaced(table);
}

function send(table) {
  clearTimeout(placed.timer);
  const button = table.querySelector(`#place-${placed.at}`);
  const same = placed.question === question(table);
  placed = null;
  showPlaced(table);
  if (same) button?.click();
}

// Whoever leaves the page has laid the card. A page that closes has no line any more: it goes by itself, too, and an
// answer that comes twice counts once.
document.addEventListener("visibilitychange", () => {
  const table = document.getElementById("table");
  if (!document.hidden || !placed) return;
  const button = table.querySelector(`#place-${placed.at}`);
  if (button) navigator.sendBeacon(button.form.action, new URLSearchParams(new FormData(button.form, button)));
  send(table);
});

document.addEventListener("submit", ({ target }) => {
  if (target.id === "move" && placed) {
    clearTimeout(placed.timer);
    placed = null; // sent by its own button
  }
});

// Their cards lie in the side panel or beneath the chain, wherever this screen has room.
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
  const again = document.createElement("button");
  again.type = "button";
  again.id = "again";
  again.className = "btn sm";
  again.textContent = orders.dataset.again;
  again.addEventListener("click", () => {
    picked.splice(0);
    draw();
    buttons[0].focus({ preventScroll: true });
  });
  tapper.append(again);
  const draw = () => {
    // the last one has no choice left
    again.hidden = !picked.length;
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
    else if (picked.length < buttons.length - 1) picked.push(card); // else its number is settled, by the others
    draw();
  });
  const hinted = choices.find((choice) => choice.querySelector("input").checked);
  if (hinted) picked.push(...hinted.dataset.cards.split(" ").slice(0, -1));
  draw();
  orders.hidden = true;
  orders.after(tapper);
}
