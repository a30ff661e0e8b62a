// A table that has to be mended is kept in this browser until a deck is made of it, with all that was typed: it is
// there after a reload, and on another day.
const form = document.querySelector("form[data-mending]");
const offer = document.querySelector("#mending");
const sent = sessionStorage.getItem("mending"); // the page before was that table
sessionStorage.removeItem("mending");
let lost = false;

function kept() {
  try {
    return JSON.parse(localStorage.getItem("mending"));
  } catch {
    return null;
  }
}

const cells = () => [...form.elements].filter((one) => one.name === "title" || one.name.startsWith("cell-"));
const of = (one) => ({ work: one.elements.work.value, deck: one.elements.deck.value });

function keep() {
  const typed = Object.fromEntries(cells().map((one) => [one.name, one.value]));
  try {
    localStorage.setItem("mending", JSON.stringify({ ...of(form), typed }));
    lost = false;
  } catch {
    lost = true; // there is no room: then it is asked before the page is left
  }
}

function forget() {
  localStorage.removeItem("mending");
}

if (form) {
  const before = kept();
  if (before?.work === of(form).work && before.deck === of(form).deck)
    for (const one of cells()) one.value = before.typed[one.name] ?? one.value;
  keep();
  let soon;
  form.addEventListener("input", () => {
    clearTimeout(soon);
    soon = setTimeout(keep, 300);
  });
  addEventListener("pagehide", keep);
  form.addEventListener("submit", () => {
    keep();
    lost = false;
    sessionStorage.setItem("mending", "sent");
  });
  addEventListener("beforeunload", (event) => lost && event.preventDefault());
  form.querySelector("[data-forget]").addEventListener("click", () => {
    removeEventListener("pagehide", keep);
    forget();
  });
}
if (sent && document.querySelector("#made")) forget();
document.querySelector("form[data-mended]")?.addEventListener("submit", forget);

const old = offer && kept();
if (old && old.deck === offer.dataset.deck) {
  const again = offer.querySelector("form");
  for (const [name, value] of Object.entries({ work: old.work, ...old.typed }))
    again.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  offer.querySelector("b").textContent = old.typed.title ?? "";
  offer.querySelector("[data-forget]").addEventListener("click", () => {
    forget();
    offer.hidden = true;
  });
  offer.hidden = false;
}
