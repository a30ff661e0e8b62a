// What this device practises. The list is kept here: of each card its deck, the day on which it is due, and on which days
// it was tried and how that went (0 wrong in a game, 1 wrong, 2 right at the second try, 3 right). The server makes the
// tasks, says what is right and when a card comes back; it keeps nothing.
import { locale } from "../settings.js";

const PLACE = "practice",
  MOST = 500, // cards; those that come back last are dropped first
  TRIES = 100; // of a card

const DAY = /^\d{4}-\d\d-\d\d$/,
  text = (one) => typeof one === "string" && one !== "";

// A day of this device, as the list has it.
function dayOf(date) {
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, "0")).join("-");
}
const today = () => dayOf(new Date());

function dayAfter(day) {
  const [year, month, date] = day.split("-").map(Number);
  return dayOf(new Date(year, month - 1, date + 1));
}

function isRow(row) {
  const fine = row && text(row.game) && text(row.deck) && text(row.card) && DAY.test(row.due);
  const isTry = (one) => Array.isArray(one) && DAY.test(one[0]) && [0, 1, 2, 3].includes(one[1]);
  return fine && Array.isArray(row.tries) && row.tries.length > 0 && row.tries.every(isTry);
}

// The list, and whether part of it cannot be read: it may be older than this script, or somebody else's.
function read() {
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
  } catch {}
  if (!Array.isArray(kept)) return { rows: [], lost: true };
  const rows = kept.filter(isRow);
  return { rows, lost: rows.length < kept.length };
}

function write(rows) {
  rows.sort((one, other) => (one.due < other.due ? -1 : Number(one.due > other.due)));
  localStorage.setItem(PLACE, JSON.stringify(rows.slice(0, MOST)));
}

const last = (row) => row.tries.at(-1);
const same = (one) => (row) => row.deck === one.deck && row.card === one.card;
const words = (part, n) => (n === 1 ? part.dataset.one : part.dataset.many).replace("{n}", n);

function tried(row, day, went, due) {
  row.tries = [...row.tries, [day, went]].slice(-TRIES);
  row.due = due;
}

// What went wrong in a game goes on the list, once.
function add(section) {
  const { game, at, cards } = section.dataset,
    day = dayOf(new Date(Number(at) * 1000)),
    due = dayAfter(day),
    { rows } = read(),
    missed = JSON.parse(cards);
  for (const [deck, card] of missed) {
    const old = rows.find(same({ deck, card }));
    if (!old) rows.push({ game, deck, card, due, tries: [[day, 0]] });
    else if (last(old)[0] < day) tried(old, day, 0, due);
  }
  write(rows);
  const said = section.querySelector("#added");
  if (said) said.textContent = words(said, missed.length);
}

function practise(page) {
  const task = page.querySelector("#task"),
    rest = page.querySelector("#rest"),
    refused = page.querySelector(".refused"),
    forget = page.querySelector("#forget"),
    { address, most, progress, offline } = page.dataset;
  let asked = null, // the card
    leftOut = false;

  const done = (rows) => rows.filter((row) => last(row)[0] === today() && last(row)[1] > 0).length;
  const due = (rows) => rows.filter((row) => row.due <= today());

  // `moved`: somebody has pressed a button, which is gone now.
  function next(moved = false) {
    const { rows, lost } = read(),
      waiting = due(rows),
      before = done(rows);
    leftOut ||= lost;
    page.querySelector("#lost").hidden = !leftOut;
    forget.hidden = !rows.length;
    task.replaceChildren();
    refused.textContent = "";
    [asked] = before < most ? waiting : [];
    rest.hidden = Boolean(asked);
    if (asked) return ask({}, moved, Math.min(most, before + waiting.length), before + 1);
    const show = (id, shown) => ((rest.querySelector(id).hidden = !shown), rest.querySelector(id));
    show("#empty", !rows.length);
    show("#done", rows.length);
    const enough = show("#enough", waiting.length);
    if (waiting.length) enough.textContent = words(enough, waiting.length);
    const onward = show("#next", rows.length && !waiting.length);
    if (rows.length && !waiting.length) {
      const [year, month, day] = rows.reduce((least, row) => (row.due < least ? row.due : least), "9999").split("-");
      const date = new Date(Number(year), month - 1, Number(day)).toLocaleDateString(locale(), {
        weekday: "long",
        day: "numeric",
        month: "long",
      });
      onward.textContent = words(onward, rows.length).replace("{day}", date);
    }
    if (moved) rest.focus();
  }

  async function ask(more, moved = true, m = 0, n = 0) {
    const { deck, card, tries } = asked,
      day = today();
    const body = new URLSearchParams({ deck, card, tries: JSON.stringify(tries), day, ...more });
    const answer = await fetch(address, { method: "POST", headers: { accept: "application/json" }, body }).catch(
      () => null,
    );
    const told = await answer?.json().catch(() => null);
    if (answer?.status === 422 && !more.choice) {
      // the server cannot read this entry
      leftOut = true;
      write(read().rows.filter((one) => !same(asked)(one)));
      return next(moved);
    }
    if (!answer?.ok || !told) {
      refused.textContent = told?.detail ?? offline;
      for (const one of task.querySelectorAll("button[data-off]")) one.disabled = false;
      rest.hidden = task.childElementCount > 0;
      return;
    }
    refused.textContent = "";
    const { rows } = read(),
      row = rows.find(same(asked));
    if (told.gone) write(rows.filter((one) => one !== row));
    else if (told.due && row) {
      tried(row, day, told.went, told.due);
      write(rows);
    } else if (told.due && told.went === 1) {
      // a puzzle that went wrong comes back
      write([...rows, { ...asked, due: told.due, tries: [[day, 1]] }]);
    }
    const before = task.querySelector("[data-progress]")?.textContent;
    task.innerHTML = told.html; // drawn by the server
    const part = task.querySelector("[data-progress]");
    if (part) part.textContent = n ? progress.replace("{n}", n).replace("{m}", m) : before;
    if (moved) task.querySelector("[tabindex]").focus();
  }

  task.addEventListener("submit", (event) => {
    event.preventDefault();
    const more = { ...Object.fromEntries(new FormData(event.target)), choice: event.submitter.value };
    for (const one of task.querySelectorAll("button:not(:disabled)")) {
      one.disabled = true;
      one.dataset.off = "";
    }
    ask(more);
  });
  task.addEventListener("click", ({ target }) => {
    if (target.closest("[data-next]")) next(true);
  });
  page.querySelector("#puzzles").addEventListener("click", ({ target }) => {
    const puzzle = target.closest("[data-deck]");
    if (!puzzle) return;
    const { game, deck } = puzzle.dataset;
    asked = { game, deck, card: `day/${today()}`, tries: [] };
    rest.hidden = true;
    ask({});
  });
  forget.addEventListener("click", () => {
    if (!confirm(forget.dataset.sure)) return;
    localStorage.removeItem(PLACE);
    next(true);
  });
  next();
}

const missed = document.getElementById("missed"),
  page = document.getElementById("practice");
if (missed) add(missed);
if (page) practise(page);
