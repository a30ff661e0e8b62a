// Adaman's pay bar: the sum of the ticked resources, and a payment proposed for the chosen target.
// All is playable without it; the server checks every payment.

import { setting } from "../settings.js";

const STILL = 8; // px that a press may move and still is a tap
let said; // the timer of the sentence for screen readers

export function enhance(table) {
  for (const card of table.querySelectorAll(".dcard[data-card]"))
    card.style.viewTransitionName = `d-${card.dataset.card}`;
  table.onpointerdown = (event) => press(table, event);
  table.ondragstart = (event) => event.preventDefault(); // the browser's own dragging
  const bar = table.querySelector("#paybar");
  if (!bar) return;
  const targets = [...table.querySelectorAll("input[name=target]")];
  const resources = [...table.querySelectorAll("input[name=payment]")];
  const tick = (numbers) => {
    for (const r of resources) r.checked = numbers.split(" ").includes(r.value);
  };
  const show = () =>
    draw(
      table,
      bar,
      targets.find((t) => t.checked),
      resources,
    );
  for (const target of targets) {
    target.addEventListener("change", () => {
      tick(setting("propose") ? target.dataset.preset : "");
      show();
    });
  }
  for (const resource of resources) resource.addEventListener("change", show);
  const chosen = targets.find((t) => t.checked);
  if (bar.dataset.target) {
    // a hint: nothing else is ticked
    for (const target of targets) target.checked = target.value === bar.dataset.target;
    tick(bar.dataset.payment);
  } else if (chosen && setting("propose") && !resources.some((r) => r.checked)) tick(chosen.dataset.preset); // before this ran
  show();
}

const suits = (input) => [...input.closest(".dcard").classList].filter((name) => name.startsWith("m-"));
const fits = (one, other) => suits(one).some((suit) => suits(other).includes(suit));

// A resource can be dragged to the card that it pays for, and what moves for the Excuse to the Excuse. That chooses
// them as taps do; without a proposal, for somebody puts the payment together.
function press(table, down) {
  const card = down.target.closest("label.pay, label:has([name=card])");
  if (!card || down.button) return;
  const stop = new AbortController();
  let onto = null;
  const follow = (move) => {
    const [x, y] = [move.clientX - down.clientX, move.clientY - down.clientY];
    if (!card.classList.contains("dragged") && Math.hypot(x, y) < STILL) return;
    card.classList.add("dragged");
    card.style.translate = `${x}px ${y}px`;
    onto?.classList.remove("drop");
    onto = place(document.elementFromPoint(move.clientX, move.clientY), card.control);
    onto?.classList.add("drop");
  };
  const end = (up) => {
    stop.abort();
    card.classList.remove("dragged");
    card.style.translate = "";
    onto?.classList.remove("drop");
    if (up.type === "pointerup" && onto) drop(table, card.control, onto.control);
  };
  addEventListener("pointermove", follow, stop);
  addEventListener("pointerup", end, stop);
  addEventListener("pointercancel", end, stop);
}

// The card at this point that the dragged one can be put on.
function place(under, dragged) {
  const card = under?.closest(".dcard");
  if (!card) return null;
  if (dragged.name === "card") return card.dataset.card === "excuse" ? card : null;
  return card.control?.name === "target" && fits(dragged, card.control) ? card : null;
}

function drop(table, dragged, target) {
  if (target && !target.checked) {
    for (const one of table.querySelectorAll("[name=payment]")) one.checked = false;
    target.checked = true;
  }
  dragged.checked = true;
  dragged.disabled = false;
  dragged.dispatchEvent(new Event("change", { bubbles: true }));
}

function draw(table, bar, target, resources) {
  const find = (id) => table.querySelector(`#${id}`);
  for (const r of resources) {
    const useful = !target || fits(r, target);
    r.disabled = !useful;
    if (!useful) r.checked = false;
    r.closest(".dcard").classList.toggle("off", !useful);
  }
  const paid = resources.filter((r) => r.checked);
  const sum = paid.reduce((all, r) => all + Number(r.dataset.rank), 0);
  const need = target ? Number(target.dataset.rank) : 0;
  const enough = Boolean(target) && sum >= need;
  find("sum").value = sum;
  find("need").textContent = target ? need : "–";
  find("tn").textContent = target ? target.dataset.name : bar.dataset.choose;
  const payment = paid.map((r) => `${r.dataset.name} ${r.dataset.rank}`).join(" + ");
  find("tx").textContent = paid.length ? bar.dataset.with.replace("{payment}", payment) : "";
  find("m").style.width = `${target ? Math.min(1, sum / Math.max(need, sum)) * 100 : 0}%`;
  find("mm").style.left = `${target ? (need / Math.max(need, sum)) * 100 : 100}%`;
  bar.classList.toggle("short", !enough);
  bar.classList.toggle("chosen", Boolean(target));
  const go = find("go"),
    lacks = target && !enough ? bar.dataset.short.replace("{n}", need - sum) : "";
  go.dataset.plain ??= go.textContent;
  go.textContent = lacks || (target ? go.dataset.plain : go.dataset.choose);
  const open = resources.filter((r) => !r.disabled);
  for (const one of table.querySelectorAll("[name=target], [name=payment]")) one.setCustomValidity("");
  for (const one of open.length ? open : [target]) one?.setCustomValidity(lacks);
  if (!target) return;
  const words = !enough ? bar.dataset.short : sum > need ? bar.dataset.over : bar.dataset.exact;
  const then = enough
    ? ("person" in target.dataset ? bar.dataset.person : bar.dataset.other).replace("{card}", target.dataset.name)
    : "";
  const line = `${words.replace("{n}", Math.abs(sum - need))} ${then}`.trim();
  find("leg").textContent = line;
  const aloud = find("legsaid");
  clearTimeout(said);
  said = setTimeout(() => {
    aloud.textContent = `${target.dataset.name}: ${line}`;
  }, 500);
}
