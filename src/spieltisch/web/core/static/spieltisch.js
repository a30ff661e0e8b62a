// Everything works without this: it makes moves go over one WebSocket and puts new fragments in place.
import "./missing.js";
import { showSettings } from "./settings.js";

// What few pages need is fetched by those.
const from = (file, use) => import(`./${file}.js`).then(use);

document.documentElement.classList.add("js");

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if ("themeSwitch" in button.dataset) {
    const dark =
      getComputedStyle(document.documentElement).colorScheme === "dark" ||
      (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    showTheme((localStorage.theme = dark ? "light" : "dark")); // of theme.js
  } else if ("print" in button.dataset) {
    print();
  } else if ("share" in button.dataset) {
    const { text, share } = button.dataset;
    navigator.share(text ? { text } : { url: share || location.href }).catch(() => {});
  } else if ("copy" in button.dataset) {
    // an address, else that of the page
    const text = button.dataset.copy || location.href;
    if (!(await copy(text))) return prompt(button.textContent.trim(), text);
    const label = button.querySelector("span");
    if (label) label.textContent = button.dataset.done;
    button.classList.add("done");
  }
});

// In a home network there is no secure line and so no clipboard: what is selected can be copied all the same.
async function copy(text) {
  if (navigator.clipboard)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true, className: "vh" });
  const focus = document.activeElement;
  (focus?.closest("[popover]") ?? document.body).append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  focus?.focus({ preventScroll: true });
  return done;
}

// A tap chooses what it touches; that gets the focus where it is. (Else the browser would move the page to show it.)
document.addEventListener(
  "click",
  ({ target, detail }) => {
    if (detail) target.closest("label")?.control?.focus({ preventScroll: true });
  },
  true,
);

document.addEventListener("submit", (event) => {
  const words = event.target.dataset.confirm;
  if (words && !confirm(words)) event.preventDefault();
});

// A form or a link that may take seconds shows that the server works on it, and says so after a moment. A file that is
// saved does not leave the page: nobody tells when it has come, so the sign goes after a while.
const MOMENT = 1000, // ms
  WHILE = 12_000;
function busy(pressed, words, leaves) {
  if (!pressed) return;
  pressed.setAttribute("aria-busy", "true");
  const said = Object.assign(document.createElement("output"), { className: "small dim working" });
  pressed.after(said);
  const timers = [setTimeout(() => (said.textContent = words), MOMENT)];
  const done = () => {
    timers.forEach(clearTimeout);
    pressed.removeAttribute("aria-busy");
    said.remove();
  };
  if (!leaves) timers.push(setTimeout(done, WHILE));
  addEventListener("pageshow", done, { once: true }); // whoever comes back to the page may press again
}
document.addEventListener("submit", ({ target, submitter, defaultPrevented }) => {
  if (target.dataset.slow && !defaultPrevented) busy(submitter, target.dataset.slow, true);
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-slow]");
  const here = !(event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented);
  if (link && here && !link.hasAttribute("aria-busy")) busy(link, link.dataset.slow, !("file" in link.dataset));
});

// Options are sent as soon as they change. Where the page is loaded anew then, once, and one is where one was on it.
const sent = new WeakSet();
document.addEventListener("change", (event) => {
  const form = event.target.form;
  if (!form || !("auto" in form.dataset) || sent.has(form)) return;
  if (!form.dataset.to && event.target.matches("select, [type=radio], [type=checkbox]"))
    sessionStorage.chosen = event.target.id;
  form.requestSubmit();
});
document.getElementById(sessionStorage.chosen)?.focus();
document.querySelector("[aria-invalid=true]")?.focus(); // what was refused, read with its reason
sessionStorage.removeItem("chosen");
document.addEventListener("submit", (event) => {
  if ("auto" in event.target.dataset && !event.target.dataset.to) sent.add(event.target);
});

// A card is reported without leaving the page.
document.addEventListener("submit", async (event) => {
  const form = event.target,
    words = form.querySelector("output[data-done]");
  if (!form.classList.contains("report") || event.defaultPrevented || !words) return;
  event.preventDefault();
  const asked = {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams(new FormData(form)),
  };
  const answer = await fetch(form.action, asked).catch(() => null);
  if (answer?.ok)
    form.querySelectorAll("input:not([type=hidden]), button").forEach((one) => {
      one.hidden = true;
    });
  const { detail } = answer?.ok ? { detail: words.dataset.done } : ((await answer?.json().catch(() => null)) ?? {});
  words.textContent = detail ?? words.dataset.offline; // a proxy may answer for a server that has gone
});

// What is scrolled to, or reached by keyboard, is not hidden by the dock, however high that is.
const dock = new ResizeObserver(([{ target }]) => {
  document.documentElement.style.setProperty("--dock", `${target.offsetHeight}px`);
});

// Sharing needs a browser that can, on a secure line: else its button stays hidden, and copying is beside it.
export function offer(root) {
  for (const button of root.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
  for (const button of root.querySelectorAll("[data-copy]")) button.hidden = false;
  showSettings(root);
  if (root.querySelector("[data-begun], [data-ended]")) from("stats", ({ note }) => note(root));
  if (root.querySelector("[data-stories]")) from("stories", ({ tell }) => tell(root));
  dock.disconnect();
  for (const one of document.querySelectorAll(".dock, .startbar")) dock.observe(one);
}
offer(document);

const stats = document.querySelectorAll("#stats, #racers[data-racing]");
if (stats.length) from("stats", ({ show }) => stats.forEach(show));

const puzzle = document.getElementById("puzzle");
if (puzzle) from("daily", ({ resume }) => resume(puzzle));
const dailies = document.getElementById("dailies"),
  daily = document.getElementById("day");
if (dailies) from("daily", ({ showToday }) => showToday(dailies));
if (daily) {
  from("daily", ({ showDays, showPage }) => {
    daily.querySelectorAll("[data-days]").forEach(showDays);
    showPage(daily);
  });
}

const sure = document.getElementById("sure");
if (sure) from("sure", ({ show }) => show(sure));

// A seat's own address: its token stands behind the # and so reaches no log; it is handed over by post.
const exchange = document.getElementById("exchange");
if (exchange && location.hash.length > 1) {
  exchange.elements.token.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  exchange.submit();
}

const search = document.getElementById("find");
if (search) from("find", ({ find }) => find(search));

// A picture of how a game ended: without this the link leads to it.
document.addEventListener("click", (event) => {
  const link = event.target.closest("#picture");
  if (!link) return;
  event.preventDefault();
  from("picture", ({ send }) => send(link));
});

const table = document.getElementById("table");
if (table?.dataset.live) from("live", ({ live }) => live(table, offer));
else if (table && "replay" in table.dataset) from("replay", ({ replay }) => replay(table, offer));
else if (table?.dataset.together) from("together", ({ together }) => together(table, offer));
else if (table?.dataset.script)
  import(table.dataset.script).then((room) => {
    // a lesson
    room.enhance?.(table);
    table.dataset.ready = "";
  });
