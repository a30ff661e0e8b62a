// How sure one was: claims and what came true of them, kept on this device. The server draws their curve and keeps nothing.
import { setting } from "./settings.js";

const FORMAT = "spieltisch-sure/1"; // of the file that takes them to another device
const MOST = 500; // claims that are kept; the server draws no more

let lost = false; // whether what is kept could not be read

function read() {
  try {
    const all = JSON.parse(localStorage.getItem("sure") ?? "{}");
    if (Object.prototype.toString.call(all) === "[object Object]") return all;
  } catch {}
  lost = true;
  return {};
}
const write = (all) => localStorage.setItem("sure", JSON.stringify(all));
const newest = (all) => Object.fromEntries(Object.entries(all).slice(-MOST));
const written = (claims) => JSON.stringify({ format: FORMAT, claims });

// A claim (per cent, whether the chain was right, its times, its fields) by where it was made: the first one counts.
function note(at, claim) {
  const all = read();
  if (!(at in all)) write(newest({ ...all, [at]: claim }));
}

const ask = (section, claims) =>
  fetch(section.dataset.draw, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: written(claims),
  }).catch(() => null);

async function draw(section) {
  const answer = await ask(section, read());
  const { offline, wrong } = section.dataset;
  if (answer?.ok) section.innerHTML = await answer.text();
  if (answer?.ok && !lost) return;
  const note = Object.assign(document.createElement("p"), { className: "note warn" });
  note.textContent = lost || answer?.status === 422 ? wrong : offline;
  if (answer?.ok) section.prepend(note);
  else section.replaceChildren(note);
}

// The pages on which chains are judged and the curve is shown.
export function show(part) {
  for (const one of part.querySelectorAll(".howsure")) slide(one);
  if (part.dataset.claim) note(part.dataset.at, JSON.parse(part.dataset.claim));
  const section = part.querySelector("[data-draw]");
  if (section) draw(section);
  const kept = part.querySelector("#kept");
  if (kept) showKept(kept, section);
  document.addEventListener("keydown", (event) => press(part, event));
}

// The slider says its number, and what that is paid; not before it was moved, if it need not be. Returns how to ask for
// the points with either outcome.
function slide(one, atOnce = true) {
  const input = one.querySelector("input"),
    words = one.querySelector("[data-paid]"),
    stakes = one.dataset.stakes.trim().split(" ");
  const paid = () => [0, 1].map((outcome) => Number(stakes[2 * (input.value / input.step) + outcome]));
  const say = () => {
    const percent = `${input.value}\u00a0%`,
      [right, wrong] = paid().map(signed);
    one.querySelector("output").textContent = percent;
    input.setAttribute("aria-valuetext", percent);
    words.textContent = words.dataset.paid.replace("{right}", right).replace("{wrong}", wrong);
    words.hidden = false;
  };
  input.addEventListener("input", say);
  if (atOnce) say();
  return paid;
}

const signed = (points) => (points > 0 ? `+${points}` : String(points).replace("-", "−"));

function press(part, event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.repeat || !setting("keys")) return;
  const one = part.querySelector(event.key === "n" ? "#next" : `#step-${Number(event.key) || 0}`);
  if (!one) return;
  event.preventDefault();
  one.click();
}

function showKept(kept, section) {
  kept.hidden = false;
  kept.querySelector("[data-forget]").onclick = () => {
    localStorage.removeItem("sure");
    lost = false;
    draw(section);
  };
  kept.querySelector("[data-take]").onclick = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([written(read())], { type: "application/json" }));
    link.download = "spieltisch-sure.json";
    link.click();
    URL.revokeObjectURL(link.href);
  };
  kept.querySelector("[data-bring]").onchange = async ({ target }) => {
    const said = kept.querySelector("#brought"),
      mine = read(),
      theirs = claimsOf(await target.files[0].text());
    target.value = "";
    const both = newest({ ...theirs, ...mine });
    const answer = theirs && (await ask(section, both)); // the server knows what a claim is
    if (!answer?.ok) return (said.textContent = said.dataset.wrong);
    write(both);
    said.textContent = said.dataset.words.replace("{n}", Object.keys(theirs).filter((at) => !(at in mine)).length);
    section.innerHTML = await answer.text();
  };
}

function claimsOf(text) {
  try {
    return JSON.parse(text).claims ?? null;
  } catch {
    return null;
  }
}

// -- at a table: who likes says before a doubt how sure they are. The number leaves this device no sooner than the reveal.

let said = null; // { question, percent, paid: [if right, if wrong] } about the chain that lies there
const PLACE = "sure-said"; // the number of the last doubt, until a page has shown what came of it

export function atTable(table, question) {
  const part = table.querySelector("#surely");
  if (part) offer(part, question);
  const doubted = table.querySelector("[data-doubted]");
  if (doubted) settle(table, doubted);
}

function offer(part, question) {
  part.hidden = false;
  const input = part.querySelector("input");
  const known = said?.question === question;
  if (known) input.value = said.percent;
  const paid = slide(part.querySelector(".howsure"), known);
  input.addEventListener("input", () => {
    said = { question, percent: Number(input.value), paid: paid() };
  });
}

document.addEventListener("submit", ({ target, submitter }) => {
  if (target.id !== "move" || submitter?.id !== "do-doubt") return;
  if (said?.question !== target.elements.question.value) return sessionStorage.removeItem(PLACE);
  const before = document.querySelector("[data-doubted]")?.dataset.doubted;
  sessionStorage.setItem(PLACE, JSON.stringify({ ...said, table: location.pathname, before }));
});

// One's own doubt has been revealed: the claim counts, and is told to nobody else.
function settle(table, { dataset: { doubted, right, epochs } }) {
  const mine = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
  if (mine?.table !== location.pathname || mine.before === doubted) return;
  if ((mine.doubted ??= doubted) !== doubted) return; // that was another doubt
  sessionStorage.setItem(PLACE, JSON.stringify(mine));
  note(`${location.pathname}/${mine.question}`, [mine.percent, right === "yes", epochs.split(" ").filter(Boolean), []]);
  const line = table.querySelector("#surely-said");
  if (!line) return;
  const points = mine.paid[right === "yes" ? 0 : 1];
  const words = line.querySelector("[data-words]");
  words.textContent = words.dataset.words.replace("{n}", mine.percent).replace("{points}", signed(points));
  line.hidden = false;
}
