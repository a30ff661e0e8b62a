// Adaman's pay bar: the sum of the ticked resources, and a payment proposed for the chosen target.
// All is playable without it; the server checks every payment.

import { setting } from "../settings.js";

const ROW = 5; // cards in the palace, the capital and the resources
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

// The table after a move that the server has not heard of, as a copy: what the pile brings lies face down. Null for a
// move that leaves nothing to go on with.
export function ahead(table, fields) {
  const values = (wanted) => fields.filter(([name]) => name === wanted).map(([, value]) => value);
  if (values("type")[0] !== "Control") return null;
  const copy = table.cloneNode(true);
  const find = (id) => copy.querySelector(`#${id}`);
  const rows = [...copy.querySelectorAll(".zone .five")]; // palace, capital, resources
  for (const hinted of copy.querySelectorAll(".hinted")) hinted.classList.remove("hinted");
  for (const number of values("payment")) find(`w-${number}`).closest(".dcard").remove();
  const won = find(`t-${values("target")[0]}`);
  const card = won.closest(".dcard");
  card.remove();
  if (!("person" in won.dataset)) {
    card.classList.add("pay");
    Object.assign(won, { type: "checkbox", name: "payment", id: `w-${won.value}`, required: false });
    rows[2].append(card);
  }
  const { dataset } = find("paybar");
  for (const name of ["target", "payment"]) delete dataset[name];
  find("leg").textContent = find("leg").dataset.plain;
  fill(rows, dataset);
  const targets = [...copy.querySelectorAll("[name=target]")];
  const resources = [...copy.querySelectorAll("[name=payment]")];
  for (const one of [...targets, ...resources]) one.removeAttribute("checked");
  for (const target of targets) target.dataset.preset = proposed(target, resources).join(" ");
  const ended = !copy.querySelector(".unturned") && !targets.some((target) => "person" in target.dataset);
  const goesOn = !ended && targets.some((target) => sum(resources.filter((r) => fits(r, target))) >= rank(target));
  for (const target of targets) target.toggleAttribute("disabled", !goesOn);
  copy.querySelector(".turn > b").textContent = goesOn ? dataset.ahead : dataset.stuck;
  return copy;
}

// The capital first, then the resources; nobody knows who of that goes to the palace instead.
function fill([palace, capital, resources], dataset) {
  for (const row of [palace, capital, resources]) {
    for (const slot of row.querySelectorAll(".slot:not(.unturned)")) slot.remove();
    while (row.children.length < ROW) {
      const slot = Object.assign(document.createElement("span"), { className: "slot" });
      const turned = row !== palace && Number(dataset.pile) > 0;
      if (turned) {
        dataset.pile -= 1;
        slot.classList.add("unturned", "back");
        slot.append(Object.assign(document.createElement("span"), { className: "vh", textContent: dataset.unturned }));
      } else slot.setAttribute("aria-hidden", "true");
      row.append(slot);
    }
  }
  const heads = palace.querySelectorAll(".dcard").length;
  const zone = palace.closest(".zone");
  zone.querySelector("small").textContent = dataset.palace.replace("{n}", heads);
  zone.querySelectorAll(".pips i").forEach((pip, n) => pip.classList.toggle("on", n < heads));
}

const rank = (input) => Number(input.dataset.rank);
const sum = (inputs) => inputs.reduce((all, one) => all + rank(one), 0);

// The cheapest payment, as the server proposes it: least overpaid, then of the fewest cards; else all that fits.
function proposed(target, resources) {
  const fitting = resources.filter((r) => fits(r, target));
  let best = fitting;
  for (let bits = 1; bits < 1 << fitting.length; bits++) {
    const paid = fitting.filter((_, n) => bits & (1 << n));
    const over = sum(paid) - sum(best);
    if (sum(paid) >= rank(target) && (over < 0 || (over === 0 && paid.length < best.length))) best = paid;
  }
  return best.map((r) => r.value);
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

function inARow(names, words) {
  const last = names.at(-1);
  return names.length > 1 ? words.replace("{some}", names.slice(0, -1).join(", ")).replace("{last}", last) : last;
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
  const total = sum(paid);
  const need = target ? rank(target) : 0;
  const enough = Boolean(target) && total >= need;
  find("sum").value = total;
  find("need").textContent = target ? need : "–";
  find("tn").textContent = target ? target.dataset.name : bar.dataset.choose;
  const names = paid.map((r) => `${r.dataset.name} ${r.dataset.rank}`);
  find("tx").textContent = names.length ? bar.dataset.with.replace("{payment}", inARow(names, bar.dataset.row)) : "";
  find("tn").parentElement.setAttribute("aria-hidden", String(!target)); // the button asks for one
  find("m").style.width = `${target ? Math.min(1, total / Math.max(need, total)) * 100 : 0}%`;
  find("mm").style.left = `${target ? (need / Math.max(need, total)) * 100 : 100}%`;
  bar.classList.toggle("short", !enough);
  bar.classList.toggle("chosen", Boolean(target));
  const go = find("go"),
    lacks = target && !enough ? bar.dataset.short.replace("{n}", need - total) : "";
  go.dataset.plain ??= go.textContent;
  go.textContent = lacks || (target ? go.dataset.plain : go.dataset.choose);
  const open = resources.filter((r) => !r.disabled);
  for (const one of table.querySelectorAll("[name=target], [name=payment]")) one.setCustomValidity("");
  for (const one of open.length ? open : [target]) one?.setCustomValidity(lacks);
  if (!target) return;
  const words = !enough ? bar.dataset.short : total > need ? bar.dataset.over : bar.dataset.exact;
  const then = enough
    ? ("person" in target.dataset ? bar.dataset.person : bar.dataset.other).replace("{card}", target.dataset.name)
    : "";
  const line = `${words.replace("{n}", Math.abs(total - need))} ${then}`.trim();
  const leg = find("leg");
  leg.dataset.plain ??= leg.textContent;
  leg.textContent = line;
  const aloud = find("legsaid");
  const named = bar.dataset.named.replace("{name}", target.dataset.name).replace("{words}", line);
  clearTimeout(said);
  said = setTimeout(() => {
    aloud.textContent = enough ? line : named; // the card is named once
  }, 500);
}
