// What somebody chose on this device, and single keys. Boxes named `data-setting` show and change a choice.

// `confirm`: a card is laid by a second tap; so it is until one's first game is over, where that is said.
const BEGIN = {
  confirm: "yes",
  keys: "yes",
  propose: "yes",
  voices: "yes",
  sound: "no",
  buzz: "no",
  quiet: "no",
  passes: "no",
};

let turnedOff = false; // on this page

// The page's language for dates and numbers; English days come before their month.
export function locale() {
  const { lang } = document.documentElement;
  return lang === "en" ? "en-GB" : lang;
}

// Whether things shall move less: then what would glide is there at once.
export function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// Begins an animation of the style sheet anew.
export function restart(one, name) {
  one.classList.remove(name);
  one.getBoundingClientRect();
  one.classList.add(name);
}

export function setting(name) {
  return (localStorage.getItem(name) ?? BEGIN[name]) === "yes";
}

export function showSettings(root) {
  const boxes = [...root.querySelectorAll("[data-setting]")];
  const confirms = boxes.some((box) => box.dataset.setting === "confirm");
  if (confirms && root.querySelector("#over") && !localStorage.getItem("confirm")) {
    localStorage.setItem("confirm", "no");
    turnedOff = true;
  }
  document.documentElement.classList.toggle("beginner", !localStorage.getItem("confirm")); // until a first game is over
  const said = root.querySelector("#unconfirmed");
  if (said) said.hidden = !turnedOff || setting("confirm");
  for (const one of root.querySelectorAll("[data-when-off]")) one.hidden = setting(one.dataset.whenOff);
  for (const box of boxes) {
    box.checked = setting(box.dataset.setting);
    box.closest("label").hidden = box.dataset.setting === "buzz" && !navigator.vibrate;
  }
}

document.addEventListener("change", (event) => {
  const name = event.target.dataset.setting;
  if (!name) return;
  localStorage.setItem(name, event.target.checked ? "yes" : "no");
  if (name === "quiet") document.documentElement.toggleAttribute("data-quiet", event.target.checked);
  showSettings(document);
});

// Keys that do something at once: they can be turned off, for those who speak to their machine (WCAG 2.1.4).
const KEYS = { d: "#ask-doubt", e: "#contest", p: "#accept", h: "#hint", u: "#undo" };
const HAND = ".hand9 input, .lhand input, .res input[name]";
const PLACES = "[name=at], [name=cell], .board [name=action], [name=target]";
const TARGETS = "[name=target]"; // with Shift
const WRITING = "input:not([type=radio], [type=checkbox]), select, textarea";

document.addEventListener("keydown", (event) => {
  const table = document.getElementById("table");
  if (!table?.dataset.live || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.repeat)
    return;
  if (event.target.closest(WRITING) || !setting("keys")) return;
  if (event.key === "?") return showKeys(event);
  if (event.key === "g") return jump(table, event);
  const control = called(table, event);
  if (!control || control.disabled || !(control.closest("label") ?? control).checkVisibility()) return;
  event.preventDefault();
  control.focus();
  control.click();
});

// What a key stands for: a button, a card of the hand, or with Shift a target. By the place of the key, for Shift and a
// number give another sign on every keyboard.
function called(table, { key, code, shiftKey }) {
  if (KEYS[key]) return table.querySelector(KEYS[key]);
  if (/^[1-9]$/.test(key)) return table.querySelectorAll(HAND)[key - 1];
  const number = shiftKey && /^Digit(\d)$/.exec(code)?.[1];
  return number && table.querySelectorAll(TARGETS)[(Number(number) + 9) % 10];
}

// From the cards to the places and back: to what is chosen there, else to the first one.
function jump(table, event) {
  const [cards, places] = [`${HAND}, [name=pattern]`, PLACES].map((css) =>
    [...table.querySelectorAll(css)].filter(
      (one) => !one.disabled && one.type !== "hidden" && (one.closest("label") ?? one).checkVisibility(),
    ),
  );
  const to = places.length && cards.includes(document.activeElement) ? places : cards.length ? cards : places;
  if (!to.length) return;
  event.preventDefault();
  (to.find((one) => one.checked) ?? to[0]).focus();
}

function showKeys(event) {
  const keys = document.getElementById("keys");
  if (!keys) return;
  event.preventDefault();
  keys.open = true;
  keys.closest("[popover]").showPopover();
  keys.querySelector("summary").focus();
}
