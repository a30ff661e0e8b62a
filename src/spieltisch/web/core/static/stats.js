// What came of the games that one plays alone, and of dailies: kept on this device, a row for each table.
import { showEnd } from "./daily.js";

const MOST = 1000; // games that are remembered
const TRIES = 8; // looks whether a label has been worked out
const FORMAT = "spieltisch-games/1"; // of the file that takes them to another device
// `won`: 1, 0, or -1 for a game that was begun; `label`: the deal's; `at`: when it began (ms); older rows are shorter
const FIELDS = ["won", "label", "helped", "deal", "score", "seconds", "cards", "at"];

const read = (game) => JSON.parse(localStorage.getItem(`games-${game}`) ?? "{}");
const write = (game, all) =>
  localStorage.setItem(`games-${game}`, JSON.stringify(Object.fromEntries(Object.entries(all).slice(-MOST))));

// All games by their beginning. One that was left counts as lost as soon as another one has been begun.
export function played(game) {
  const all = Object.values(read(game))
    .map((row) => Object.fromEntries(FIELDS.map((name, i) => [name, row[i]])))
    .sort((one, other) => (one.at ?? 0) - (other.at ?? 0));
  return all
    .filter(({ won }, i) => won >= 0 || i < all.length - 1)
    .map((one) => ({ ...one, won: one.won === 1, left: one.won < 0 }));
}

// A game that is begun, or has just ended: how it ended first is what counts.
export async function note(root) {
  const begun = root.querySelector("[data-begun]");
  if (begun) return noteBegun(begun.dataset);
  const over = root.querySelector("[data-ended]");
  if (!over) return;
  const { game, ended, how, review, deal, score, seconds, cards } = over.dataset;
  const all = read(game);
  const first = !(all[ended]?.[0] >= 0);
  if (first) {
    const helped = "helped" in over.dataset ? 1 : 0;
    const at = all[ended]?.[FIELDS.indexOf("at")] ?? Date.now();
    all[ended] = [how === "won" ? 1 : 0, "", helped, Number(deal ?? 0), Number(score), Number(seconds), cards, at];
    write(game, all);
  }
  const day = root.querySelector("#daily");
  if (day) showEnd(day, game, first);
  if ((all[ended][1] && !day) || !review || over.dataset.asked) return;
  over.dataset.asked = "";
  for (let n = 0; n < TRIES; n++) {
    const answer = await fetch(review, { headers: { accept: "application/json" } });
    if (answer.status === 202) continue; // it waits by itself
    if (!answer.ok) return;
    const { thoughts } = await answer.json();
    if (day) showChances(root.querySelector("#chances"), thoughts, how);
    const now = read(game);
    if (ended in now) now[ended][1] = { true: "yes", false: "no" }[thoughts[0]?.winnable] ?? "open";
    return write(game, now);
  }
}

function noteBegun({ game, begun, deal, cards }) {
  const all = read(game);
  if (!(begun in all)) write(game, { ...all, [begun]: [-1, "", 0, Number(deal ?? 0), 0, 0, cards, Date.now()] });
}

// A part of a page that shows what has been kept, or how a race stands.
export function show(part) {
  if (part.id === "stats") showStats(part);
  else follow(part);
}

function showStats(section) {
  const game = section.dataset.stats,
    all = played(game),
    games = all.filter(({ helped }) => !helped);
  for (const row of section.querySelectorAll("[data-kind]")) {
    const { kind } = row.dataset;
    showGames(
      row,
      kind === "helped"
        ? all.filter(({ helped }) => helped)
        : games.filter(({ label }) => kind === "all" || (label || "open") === kind),
    );
  }
  for (const row of section.querySelectorAll("[data-cards]")) {
    const some = games.filter(({ cards }) => cards === row.dataset.cards);
    row.hidden = !some.length;
    showGames(row, some);
  }
  showGames(section.querySelector("#sums"), games);
  section.hidden = false;
  section.querySelector("[data-forget]").onclick = () => {
    localStorage.removeItem(`games-${game}`);
    showStats(section);
  };
  section.querySelector("[data-take]").onclick = () => take(game);
  section.querySelector("[data-bring]").onchange = ({ target }) => bring(section, game, target);
}

// Puts what comes of these games wherever a part asks for it.
function showGames(part, games) {
  const known = games.filter(({ left, score }) => !left && score !== undefined);
  const timed = known.filter(({ seconds }) => seconds > 0);
  const won = games.filter((one) => one.won).length;
  const [row, most] = inRow(games);
  const numbers = {
    played: games.length,
    won,
    share: games.length ? Math.round((100 * won) / games.length) : "–",
    average: known.length ? Math.round(mean(known.map(({ score }) => score))) : "–",
    best: known.length ? Math.max(...known.map(({ score }) => score)) : "–",
    time: timed.length ? clock(mean(timed.map(({ seconds }) => seconds))) : "–",
    row,
    most,
  };
  for (const one of part.querySelectorAll("[data-what]")) one.textContent = numbers[one.dataset.what];
}

const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

// How many games were won in a row, up to the last one and at most. With help a game does not count, neither way.
export function inRow(games) {
  let row = 0,
    most = 0;
  for (const one of games) if (!one?.helped) most = Math.max(most, (row = one?.won ? row + 1 : 0));
  return [row, most];
}

// A file with all games of this device.
function take(game) {
  const link = document.createElement("a");
  const text = JSON.stringify({ format: FORMAT, game, games: read(game) }, null, 1);
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = `spieltisch-${game}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

// The games of such a file beside those of this device; of a game that both know, the end that was here first.
async function bring(section, game, input) {
  const said = section.querySelector("#brought");
  const theirs = gamesOf(await input.files[0].text(), game);
  input.value = "";
  if (!theirs) {
    said.textContent = said.dataset.wrong;
    return;
  }
  const mine = read(game);
  const fresh = Object.keys(theirs).filter((table) => !(mine[table]?.[0] >= 0));
  const at = FIELDS.indexOf("at");
  const both = { ...mine, ...Object.fromEntries(fresh.map((table) => [table, theirs[table]])) };
  write(game, Object.fromEntries(Object.entries(both).sort(([, one], [, other]) => (one[at] ?? 0) - (other[at] ?? 0))));
  said.textContent = said.dataset.words.replace("{n}", fresh.length);
  showStats(section);
}

// The games in this text; null if it is no file of this game.
function gamesOf(text, game) {
  try {
    const { format, game: of, games } = JSON.parse(text);
    const rows = Object.entries(games);
    const fine = ([table, row]) => /^[\w-]{1,20}$/.test(table) && Array.isArray(row) && [1, 0, -1].includes(row[0]);
    return format === FORMAT && of === game && rows.every(fine) ? games : null;
  } catch {
    return null;
  }
}

// What was to be won at the beginning, and for who has won, how near the end was.
function showChances(list, thoughts, how) {
  if (!list || !thoughts.length) return;
  const percent = (chance) => list.dataset.percent.replace("{n}", Math.round(100 * chance));
  const [first, least] = list.querySelectorAll("dd");
  first.textContent = percent(thoughts[0].best_chance);
  const after = thoughts.slice(1).map(({ best_chance }) => best_chance); // as the look back says before each move
  const lowest = Math.min(...after);
  least.textContent = percent(lowest);
  const words = least.previousElementSibling;
  words.textContent = words.dataset.words.replace("{n}", after.indexOf(lowest) + 1);
  least.parentElement.hidden = how !== "won" || !after.length;
  list.hidden = false;
}

// A race: how the others stand, looked up while somebody still plays.
function follow(section) {
  setTimeout(async () => {
    const answer = document.hidden ? null : await fetch(location.href).catch(() => null);
    if (answer?.ok) {
      const there = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("racers");
      if (there && there.textContent !== section.textContent) section.replaceChildren(...there.childNodes);
      if (there && !("racing" in there.dataset)) return;
    }
    follow(section);
  }, 3000);
}
