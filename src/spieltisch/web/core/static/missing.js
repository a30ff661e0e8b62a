// No press is silent. A form that is not complete moves to what is missing, puts the focus there and says so: in the
// page's language, not in a bubble in the browser's. `data-missing` says what is missing, `data-range` and `data-wrong`
// what else may be; what the body says goes for all. A button with `data-why` cannot work yet and says why: it leads to
// what has to be done first.

import { restart, still } from "./settings.js";

const GROUP = ".five, .lhand, .seg, .board, .hand9, .orders, .stones, fieldset";
let told = false; // one thing at a time: the first that is missing

document.addEventListener(
  "invalid",
  (event) => {
    event.preventDefault();
    if (told) return;
    told = true;
    setTimeout(() => (told = false));
    const one = event.target;
    say(one, words(one));
    lead(one);
  },
  true,
);

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-why]");
  if (!button) return;
  event.preventDefault();
  say(button, button.querySelector("small")?.textContent ?? button.textContent);
  const first = document.querySelector(button.dataset.why);
  if (first) lead(first);
});

// What is done about it takes the words away.
for (const kind of ["input", "change"]) {
  document.addEventListener(kind, ({ target }) => {
    const line = target.form && lineOf(target);
    if (line && line.dataset.of === target.form?.id) say(target, "");
  });
}

function words(one) {
  if (one.validity.customError) return one.validationMessage;
  const { missing, range, wrong } = { ...document.body.dataset, ...one.dataset };
  if (one.validity.valueMissing) return missing;
  const between = one.validity.rangeUnderflow || one.validity.rangeOverflow || one.validity.stepMismatch;
  return between && one.max ? range.replace("{min}", one.min).replace("{max}", one.max) : wrong;
}

// Where the words stand: in the dock, in the form, or beneath what they are about.
function lineOf(one) {
  if (one.form?.id === "move") return document.querySelector(".dock .refused");
  return one.closest(".startbar, form")?.querySelector(".refused");
}

function say(one, text) {
  let line = lineOf(one);
  if (!line) {
    line = Object.assign(document.createElement("p"), { className: "refused" });
    line.setAttribute("role", "alert");
    (one.closest(".join, .opt, .field") ?? one).after(line);
  }
  line.textContent = text;
  line.dataset.of = one.form?.id ?? "";
}

function lead(one) {
  const label = one.closest("label");
  const group = one.type === "radio" || one.type === "checkbox" ? (one.closest(GROUP) ?? label) : one;
  const shown = group.checkVisibility() ? group : group.nextElementSibling; // a script asks in its own way
  const first = group === shown ? one : shown.querySelector("button");
  first.focus({ preventScroll: true });
  shown.scrollIntoView({ block: "center", behavior: still() ? "instant" : "smooth" });
  restart(shown, "lacks");
}
