// A press that leaves the page waits until the server answers: a browser that does not reach it shows an error in place of
// the page, and does not come back. What is pressed is kept meanwhile, and done once.
import { restart } from "./settings.js";

const ANSWER = 15000; // ms in which the server has to answer, however busy it is
const AGAIN = 2000; // ms until it is asked once more
const BUSY = 400; // ms without an answer until what was pressed shows that it is on its way

async function reached(address) {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ANSWER);
  const answer = await fetch(address, { cache: "no-store", signal: late.signal }).catch(() => null);
  clearTimeout(timer);
  return answer !== null && answer.status < 500;
}

function backOnline() {
  return new Promise((done) => {
    addEventListener("online", done, { once: true });
    setTimeout(done, AGAIN);
  });
}

export async function untilReached(address) {
  while (!(await reached(address))) await backOnline();
}

// Sends the form as it is now, later: the page may draw it anew meanwhile.
function sender(form, submitter) {
  const copy = document.createElement("form");
  copy.setAttribute("method", "post");
  copy.setAttribute("action", form.getAttribute("action") ?? "");
  copy.hidden = true;
  for (const [name, value] of new FormData(form, submitter))
    copy.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  return () => {
    document.body.append(copy);
    HTMLFormElement.prototype.submit.call(copy); // a field may have the name of the method
  };
}

// Where a link leads to, if it opens another page in place of this one.
function leaves(link, event) {
  const elsewhere = event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (elsewhere || link.target || link.hasAttribute("download")) return false;
  return link.href.split("#")[0] !== location.href.split("#")[0];
}

// Keeps the presses on forms that nothing else sends, and on links while the line `isGone()`. `show()` is called when a
// press begins to wait, when something is pressed meanwhile, and when it is done. Returns whether one waits.
export function keepPresses(isGone, show) {
  const health = new URL("health", document.querySelector("link[rel=manifest]").href);
  let kept = false,
    failed = false;
  const waits = () => kept && (failed || isGone());

  async function keep(event, by, go) {
    event.preventDefault();
    if (waits()) {
      show(); // once more, which is read out
      restart(document.getElementById("line"), "lacks");
    }
    if (kept) return;
    kept = true;
    const timer = setTimeout(() => by?.setAttribute("aria-busy", "true"), BUSY);
    if (!(await reached(health))) {
      failed = true;
      show();
      await untilReached(health);
    }
    clearTimeout(timer);
    by?.removeAttribute("aria-busy");
    kept = failed = false;
    show();
    go();
  }

  // at the window, after all that asks first or does it in its own way
  addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || form.getAttribute("method") !== "post" || form.hasAttribute("enctype")) return;
    keep(event, submitter, sender(form, submitter));
  });
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || !isGone() || !leaves(link, event)) return;
    keep(event, link, () => location.assign(link.href));
  });
  return waits;
}

// The words over a page whose line is gone.
export function banner(offline, words) {
  const line = Object.assign(document.createElement("p"), { id: "line", className: "line" });
  line.append(Object.assign(document.createElement("b"), { textContent: offline }), " ", words);
  return line;
}
