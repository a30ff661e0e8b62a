// hic – haec – hoc, enhanced: the button says what will be played, a verdict stays until one goes on, cards glide.
// Nothing here knows what would fit, unless the tables of forms lie open (assisted).

import { toTop } from "../newest.js";
import { setting } from "../settings.js";
import { staged } from "../staging.js";
import { asked } from "../swap.js";

const READ = 8000; // ms that those who only watch see a verdict
const LEAST = 3000, // ms until the page says "fine" for whoever wants that,
  MOST = 8000; // and at most
let passing = null; // the question that it says so to, until it is stopped
let kept = null; // the verdict that is being looked at
let done = ""; // the number of the last one that was put away
let chosen = null; // the card that was chosen in the hand last: what stands on it, and the name it glides by
let narrowed = null; // the card whose readings can be chosen
let played = null; // the name by which the contested card glides

export function enhance(table) {
  if (table.dataset.live) keepVerdict(table);
  const names = new Map();
  for (const card of table.querySelectorAll(".lhand [data-glide]")) {
    const n = names.get(card.dataset.glide) ?? 0;
    names.set(card.dataset.glide, n + 1);
    if (card.checkVisibility?.() ?? true) card.style.viewTransitionName = `l-${card.dataset.glide}-${n}`;
  }
  glide(table);
  passOn(table);
  const show = () => draw(table);
  table.onchange = show;
  show();
}

// A played card comes from the hand, lies there contested, and stays or goes back to its seat.
function glide(table) {
  const held = new Set([...table.querySelectorAll(".lhand [data-glide]")].map((card) => card.style.viewTransitionName));
  const contested = table.querySelector(".contest .side-b .card");
  const top = table.querySelector(".contest .side-a .card, .ltable .under .card:last-child");
  const back = table.querySelector("#verdict")?.dataset.back;
  const lies = (contested ?? top)?.querySelector(".f").textContent;
  const own = chosen !== null && lies === chosen.form && !held.has(chosen.name);
  // whoever has the phone now may hold such a card, too
  if (held.has(played)) played = "l-played";
  if (contested) {
    played ??= own ? chosen.name : "l-played";
    contested.style.viewTransitionName = played;
    if (own) contested.style.viewTransitionClass = "held"; // it comes out of the dock
    if (top) top.style.viewTransitionName = "l-top";
  } else {
    const judged = staged() ? table.querySelector(".vhead .card") : null; // where it lies tells nothing yet
    const stays = played ?? (own ? chosen.name : "l-top");
    if (top) top.style.viewTransitionName = back || judged ? "l-top" : stays; // no two things have one name
    if (top && own) top.style.viewTransitionClass = "held";
    const seat = judged || (back ? table.querySelector(`.seats [data-seat="${back}"] .seat-mark`) : null);
    if (seat && played && !held.has(played)) seat.style.viewTransitionName = played;
    played = null;
  }
  chosen = null;
}

// Whoever wants has "fine" said by the page, unless they stop it. The delay is drawn by chance, whatever they hold, and
// neither the server nor another page hears of it before: nobody learns whose cards go unread. A person who stops it and
// answers late tells no more than anybody who thinks for long.
function passOn(table) {
  const accept = table.querySelector("#accept");
  const question = accept && asked(table);
  if (passing && passing.question !== question) {
    clearTimeout(passing.timer);
    passing = null;
  }
  if (!accept || !setting("passes")) return;
  if (!passing) {
    passing = { question, stopped: false };
    wait();
  }
  const line = table.querySelector("#passing");
  line.hidden = passing.stopped;
  line.nextElementSibling.hidden = !passing.stopped;
  line.querySelector("button").onclick = () => {
    clearTimeout(passing.timer);
    passing.stopped = true;
    passOn(table);
    table.querySelector("#contest").focus({ preventScroll: true });
  };

  function wait() {
    passing.timer = setTimeout(pass, LEAST + Math.random() * (MOST - LEAST));
  }
  // not while nobody looks, nor before the card is in sight: a verdict may lie over it
  function pass() {
    const button = table.querySelector("#accept");
    if (document.hidden || !button?.checkVisibility()) wait();
    else button.click();
  }
}

// Bots are quick: what the verdict said is put into the next fragments too, until "go on".
function keepVerdict(table) {
  const verdict = table.querySelector("#verdict");
  const goOn = table.querySelector(".goon");
  if (verdict && verdict.dataset.seq === done) {
    verdict.remove();
    goOn?.remove();
  } else if (verdict) {
    if (kept?.seq !== verdict.dataset.seq) {
      kept = { seq: verdict.dataset.seq, verdict, goOn };
      if (!goOn)
        setTimeout(() => {
          drop(kept);
        }, staged() + READ);
    }
  } else if (kept && !table.querySelector(".over")) {
    table.querySelector(".stage").prepend(kept.verdict);
    if (kept.goOn) table.querySelector(".dock .refused").after(kept.goOn);
  } else kept = null;
  const shown = table.querySelector(".goon");
  if (shown) {
    shown.ontoggle = () => {
      if (!shown.open) return;
      drop(kept);
      toTop(table);
      (table.querySelector("#h-0") ?? table.querySelector("#dock")).focus({ preventScroll: true });
    };
  }
}

function drop(what) {
  if (!what) return;
  done = what.seq;
  what.verdict.remove();
  what.goOn?.remove();
  if (kept === what) kept = null;
}

function draw(table) {
  const lay = table.querySelector("#lay");
  if (!lay) return;
  const card = table.querySelector("[name=form]:checked");
  narrow(table, card);
  if (card) chosen = { form: card.dataset.form, name: card.closest("[data-glide]").style.viewTransitionName };
  const rows = ["case", "number", "gender"].map((row) => table.querySelector(`[name=${row}]:checked`));
  const joker = card !== null && "joker" in card.dataset;
  const name = lay.querySelector("[data-lay]");
  const reading = lay.querySelector("[data-reading]");
  table.querySelector(".decl")?.classList.toggle("moot", joker);
  name.dataset.plain ??= name.textContent;
  if (joker) name.textContent = name.dataset.joker;
  else if (card) {
    const [before, after] = name.dataset.lay.split("{form}");
    const form = Object.assign(document.createElement("i"), {
      lang: "la",
      className: "serif",
      textContent: card.dataset.form,
    });
    name.replaceChildren(before, form, after ?? "");
  } else name.textContent = name.dataset.plain;
  for (const one of table.querySelectorAll(".decl input")) one.required = !joker; // who plays the joker says nothing
  const complete = rows.every(Boolean);
  reading.textContent = complete && !joker ? rows.map((row) => row.dataset.words).join(" ") : "";
  const colon = Object.assign(document.createElement("span"), {
    className: "vh",
    textContent: reading.dataset.reading,
  });
  if (reading.textContent) reading.prepend(colon);
  fit(table, card, rows, complete && !joker);
}

// Assisted: what the chosen card can never be cannot be chosen either. Another card begins with what is on top.
function narrow(table, card) {
  if (!table.querySelector("#fit") || card === narrowed) return;
  narrowed = card;
  const own = card?.dataset.own ? card.dataset.own.split(" ").map(Number) : null;
  for (const [row, all] of [...table.querySelectorAll(".decl .seg")].entries()) {
    const values = [...all.querySelectorAll("input")];
    for (const one of values) {
      one.disabled = own !== null && !own.some((cell) => split(cell)[row] === Number(one.dataset.place));
      if (one.disabled) one.checked = false;
    }
    if (!values.some((one) => one.checked)) for (const one of values) one.checked = !one.disabled && one.defaultChecked;
  }
}

// The places of a reading's case, number and gender. Readers may see the cases in another order: see `terms.py`.
function split(cell) {
  return [Math.floor(cell / 6), Math.floor(cell / 3) % 2, cell % 3];
}

// Assisted: how many of the three are the same as on top, and whether the card can be that at all.
function fit(table, card, rows, complete) {
  const line = table.querySelector("#fit");
  const beneath = table.querySelector("[data-beneath]")?.dataset.beneath;
  if (!line || beneath === undefined) return;
  line.dataset.plain ??= line.textContent;
  line.className = "fit";
  if (!card || !complete) {
    line.textContent = card ? lacking(table, card, rows, line.dataset.choose) : line.dataset.plain;
    return;
  }
  const mine = rows.map((row) => Number(row.dataset.place));
  const cell = (mine[0] * 2 + mine[1]) * 3 + mine[2];
  const counts = beneath.split(" ").map((n) => split(Number(n)).filter((part, i) => part === mine[i]).length);
  const same = counts.includes(2) ? 2 : Math.max(...counts);
  const cannot = same === 2 && !card.dataset.fits.split(" ").includes(String(cell));
  const { none, one, two, three } = line.dataset;
  line.textContent = cannot ? card.dataset.what : [none, one, two, three][same];
  line.classList.add(same === 2 && !cannot ? "ok" : "bad");
}

// What the card can be, and what is still to be said of it.
function lacking(table, card, rows, words) {
  if (!card.dataset.own) return card.dataset.what;
  const names = ["case", "number", "gender"].map((row) => table.querySelector(`#l-${row}`).textContent);
  const missing = names.filter((_, n) => !rows[n]);
  return `${card.dataset.what} ${words.replace("{rows}", missing.join(", "))}`;
}
