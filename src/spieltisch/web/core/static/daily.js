// The dailies: which day it is here, how the last ones went by what this device keeps, and a text that tells no card.
import { inRow, played } from "./stats.js";

const DAY = 86_400_000, // ms
  APART = 3_600_000; // a clock that is further from the server's is told of

// What came of the daily with a number, undefined if it has not been ended; the first try counts.
function tried(game) {
  const found = new Map(
    played(game)
      .filter(({ left }) => !left)
      .reverse()
      .map((one) => [one.deal, one]),
  );
  return (deal) => found.get(Number(deal));
}

// Days, marked by how they went.
export function showDays(list) {
  const of = tried(list.dataset.days);
  for (const day of list.querySelectorAll("[data-deal]")) {
    const one = of(day.dataset.deal);
    if (!one) continue;
    const how = one.won ? "won" : "lost";
    day.classList.add(how);
    day.classList.toggle("helped", Boolean(one.helped));
    const words = one.helped ? `${list.dataset[how]}, ${list.dataset.helped}` : list.dataset[how];
    day.querySelector("[data-words]").textContent = words;
  }
}

function showRow(part, game) {
  const days = part.dataset.past.split(" ").map(tried(game));
  if (!days.at(-1)) days.pop(); // this one can still be played
  const [row, most] = inRow(days);
  const words = part.querySelector("#row");
  words.textContent = words.dataset.words.replace("{n}", row).replace("{m}", most);
}

const ask = (address, more = {}) =>
  fetch(address, { headers: { accept: "application/json" }, ...more })
    .then((answer) => (answer.ok ? answer.json() : null))
    .catch(() => null);

// The end of a daily; the `first` one is counted. What one claimed is asked for: of a finished game the server tells it.
export async function showEnd(part, game, first) {
  const ticks = part.querySelector("[data-days]");
  showDays(ticks);
  showRow(part, game);
  const signs = [...ticks.children].map(({ classList }) => {
    const sign = classList.contains("won") ? "✓" : classList.contains("lost") ? "✗" : "–";
    return classList.contains("helped") ? `(${sign})` : sign;
  });
  const { said, address, claims, marks, proof } = part.dataset;
  const write = (...claimed) => {
    const text = [said, ...claimed, signs.join(" "), new URL(address, location.href)].join("\n");
    part.querySelector("[data-share]").dataset.text = text;
    part.querySelector("[data-copy]").dataset.copy = text;
  };
  write(...(marks ? [marks] : []));
  const claimed = claims && (await ask(claims));
  if (claimed) {
    part.querySelector("[data-claimed]").textContent = claimed.words;
    write(claimed.words, claimed.marks);
  }
  const here = await ask(`${address}/here`, first ? { method: "POST", body: new URLSearchParams(proof) } : {});
  if (here) part.querySelector("[data-reckoned]").textContent = here.words;
}

// The day here, by the server's clock and this device's time zone.
function dayHere(now) {
  const here = new Date(Number(now) * 1000);
  return [here.getFullYear(), here.getMonth() + 1, here.getDate()].map((n) => String(n).padStart(2, "0")).join("-");
}

// The page of a day. Where today is another day than in UTC, it goes there.
export function showPage(page) {
  const { game, day, now } = page.dataset;
  const here = dayHere(now);
  if ("moves" in page.dataset && here !== day) return location.replace(`${location.pathname}/${here}`);
  const apart = Math.abs(Date.now() - Number(now) * 1000);
  if (apart > APART) {
    const clock = page.querySelector("#clock"),
      [n, unit] = apart < 2 * DAY ? [apart / APART, "hour"] : [apart / DAY, "day"];
    const words = new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, unitDisplay: "long" });
    clock.textContent = clock.dataset.words.replace("{n}", words.format(Math.round(n)));
    clock.hidden = false;
  }
  showRow(page.querySelector("#daily"), game);
}

// The home page leads to the day here.
export function showToday(list) {
  const { now, today } = list.dataset,
    here = dayHere(now),
    off = 1 + Math.round((Date.parse(here) - Date.parse(today)) / DAY); // yesterday, today or tomorrow in UTC
  for (const link of list.querySelectorAll("a")) {
    if (off !== 1) link.href += `/${here}`;
    link.dataset.deal = link.dataset.deals.split(" ")[off];
  }
  for (const one of list.querySelectorAll("[data-days]")) showDays(one);
}

// A puzzle goes on where this device left it, and no move of it is taken back.
export function resume({ dataset: { game, number, moves } }) {
  const [of, kept] = (localStorage.getItem(`puzzle-${game}`) ?? "").split(" ");
  if (of === number && kept !== moves && kept.startsWith(moves)) {
    location.replace(`${location.pathname}?${new URLSearchParams({ moves: kept })}`);
  } else if (moves) localStorage.setItem(`puzzle-${game}`, `${number} ${moves}`);
}
