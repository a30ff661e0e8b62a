// Puts a new fragment in the place of the old one and keeps what the person was doing: focus, choices, scrolling.

import { arrive, toTop } from "./newest.js";
import { still } from "./settings.js";

const SCROLLERS = ".stage, .seats, .side, .scroll-x";
const PRESS = 5000; // ms that a press may hold up what is new: some fingers are slow, and not every browser says that they left
const CLICK = 300; // ms in which the click comes after a finger is lifted
let running = null,
  swapping = false,
  pressed = null,
  lifted = 0,
  newest = null,
  late = false,
  veiled = false;

export function swap(table, html, done) {
  newest = () => swap(table, html, done);
  late = held(table);
  if (late) return;
  const put = () => {
    // a browser takes a moment to begin a transition, in which something may be pressed
    late = held(table);
    if (late) return;
    const kept = keep(table);
    swapping = true;
    table.innerHTML = html;
    swapping = false;
    restore(table, kept);
    done();
  };
  running?.skipTransition();
  // (An open sheet lies over everything; in a transition it would not.)
  if (document.hidden || still() || !document.startViewTransition || table.querySelector(":popover-open")) {
    put();
    return arrive(table);
  }
  const change = (running = document.startViewTransition(put));
  change.finished.finally(() => {
    if (running === change) running = null;
    arrive(table);
  });
  change.ready.catch(() => {}); // skipped by the next one: nothing is lost
}

// What is pressed has to be there when it is let go, or the press would be lost; what is new waits as long. (A press
// during a transition is one on the whole page.)
function held(table) {
  return pressed !== null && (table.contains(pressed) || pressed.contains(table));
}

function hold(target, time) {
  clearTimeout(lifted);
  pressed = target;
  lifted = setTimeout(() => {
    pressed = null;
    if (late) newest();
  }, time);
}

const letGo = (time) => () => {
  if (pressed) hold(pressed, time);
};
addEventListener(
  "pointerdown",
  (event) => {
    if (event.button === 0) hold(event.target, PRESS);
  },
  true,
);
addEventListener("pointerup", letGo(CLICK), true);
addEventListener("pointercancel", letGo(0), true);
addEventListener("click", letGo(0), true); // what it does is done before that
addEventListener(
  "keydown",
  (event) => {
    if (event.key === " ") hold(event.target, PRESS);
  },
  true,
);
addEventListener("keyup", letGo(0), true);

// A tap during an animation skips it: what is on its way is there. (The ring of a clock is no animation of that kind.)
addEventListener(
  "pointerdown",
  (event) => {
    veiled = running !== null && event.target === document.documentElement;
    running?.skipTransition();
    for (const one of document.getAnimations()) {
      if (one instanceof CSSAnimation && one.animationName !== "ring") one.finish();
    }
  },
  true,
);

// While a transition runs no press gets through to the page: what lies there gets it when that has been skipped.
addEventListener(
  "click",
  (event) => {
    if (!veiled || event.target !== document.documentElement) return;
    veiled = false;
    document.elementFromPoint(event.clientX, event.clientY)?.closest("a, button, input, label, summary")?.click();
  },
  true,
);

// What is half written is not a change because its field is drawn anew (Chromium says so while it takes the old one
// away); it is one when the new field is left, of which the browser says nothing.
addEventListener(
  "change",
  (event) => {
    if (swapping) event.stopImmediatePropagation();
  },
  true,
);
function changed({ target }) {
  if (!swapping && target.value !== target.defaultValue) target.dispatchEvent(new Event("change", { bubbles: true }));
}

// The question that the page asks, and on a shared device whom.
export function asked(table) {
  return [...table.querySelectorAll("#move input")].map((one) => one.value).join();
}

// By what something is found in the next picture: its id, or its words and which of those that are alike it is.
function mark(table, one) {
  if (one.id) return { id: one.id };
  return { tag: one.localName, words: words(one), at: alike(table, one.localName, words(one)).indexOf(one) };
}

function marked(table, { id, tag, words, at }) {
  return id ? table.querySelector(`#${CSS.escape(id)}`) : alike(table, tag, words)[at];
}

const alike = (table, tag, said) => [...table.querySelectorAll(tag)].filter((one) => words(one) === said);

// A section is called as its summary: what it holds may change. A field has its name and its value.
function words(one) {
  const said = one.localName === "details" ? one.querySelector("summary") : one;
  return `${said?.textContent.trim()} ${one.name ?? ""} ${one.getAttribute("value") ?? ""}`;
}

function keep(table) {
  const focus = document.activeElement;
  return {
    over: table.querySelector("#over") !== null,
    question: asked(table),
    refused: table.querySelector(".refused:is(.dock *, .startbar *)")?.textContent,
    focus: table.contains(focus) ? mark(table, focus) : null,
    lost: table.contains(focus),
    selection: focus?.type === "text" ? [focus.selectionStart, focus.selectionEnd] : null,
    chosen: [...table.querySelectorAll("input[id]:checked")]
      .filter((i) => !("auto" in (i.form?.dataset ?? {})))
      .map((input) => input.id),
    texts: [...table.querySelectorAll("input.in[id]")]
      .filter((i) => i.value !== i.defaultValue)
      .map((i) => [i.id, i.value]),
    open: [...table.querySelectorAll("details[open]")].map((details) => mark(table, details)),
    popovers: [...table.querySelectorAll("[popover][id]:popover-open")].map((sheet) => sheet.id),
    scrolled: [...table.querySelectorAll(SCROLLERS)].map((box) => [box.scrollLeft, box.scrollTop]),
  };
}

function restore(table, kept) {
  const find = (id) => id && table.querySelector(`#${CSS.escape(id)}`);
  const same = kept.question === asked(table);
  if (same) {
    for (const id of kept.chosen) {
      const input = find(id);
      if (input && !input.disabled) input.checked = true;
    }
  }
  const refused = table.querySelector(".refused:is(.dock *, .startbar *)");
  if (same && refused && !refused.textContent) refused.textContent = kept.refused ?? ""; // of this question still
  for (const [id, value] of kept.texts) {
    const input = find(id);
    if (!input) continue;
    input.value = value;
    input.addEventListener("focusout", changed);
  }
  for (const one of kept.open) marked(table, one)?.setAttribute("open", "");
  for (const id of kept.popovers) {
    const sheet = find(id); // one of a move goes with its question
    if (sheet && (same || !sheet.closest("#dock"))) sheet.showPopover();
  }
  const boxes = table.querySelectorAll(SCROLLERS);
  if (boxes.length === kept.scrolled.length) {
    boxes.forEach((box, n) =>
      box.scrollTo({ left: kept.scrolled[n][0], top: kept.scrolled[n][1], behavior: "instant" }),
    );
  }
  const over = table.querySelector("#over");
  if (over && !kept.over) toTop(table); // how it ended
  if (kept.lost) {
    const found = kept.focus && marked(table, kept.focus);
    const target = found || (over ?? table.querySelector("#dock"));
    target?.focus({ preventScroll: true });
    if (kept.selection && target?.type === "text") target.setSelectionRange(...kept.selection);
  }
}
