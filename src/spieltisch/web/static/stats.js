// What came of the games that one plays alone: kept on this device, by table [won, the deal's label, with help, deal].

const MOST = 1000; // games that are remembered
const TRIES = 8; // looks whether a label has been worked out

const read = (game) => JSON.parse(localStorage.getItem(`games-${game}`) ?? "{}");
const write = (game, all) =>
  localStorage.setItem(`games-${game}`, JSON.stringify(Object.fromEntries(Object.entries(all).slice(-MOST))));

// A game that has just ended: how it ended first is what counts.
export async function note(root) {
  const over = root.querySelector("[data-ended]");
  if (!over) return;
  const { game, ended, how, review, deal } = over.dataset;
  const all = read(game);
  if (!(ended in all)) {
    all[ended] = [how === "won" ? 1 : 0, "", "helped" in over.dataset ? 1 : 0, Number(deal ?? 0)];
    write(game, all);
  }
  const day = root.querySelector("#daily");
  if (day) showDaily(day, game);
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

// A part of a page that shows what has been kept, or how a race stands.
export function show(part) {
  if (part.id === "stats") showStats(part);
  else if (part.id === "racers") follow(part);
  else showDays(part);
}

function showStats(section) {
  const game = section.dataset.stats,
    all = Object.values(read(game)),
    games = all.filter(([, , helped]) => !helped);
  const put = (root, what, text) => {
    root.querySelector(`[data-what=${what}]`).textContent = text;
  };
  for (const row of section.querySelectorAll("[data-kind]")) {
    const { kind } = row.dataset;
    const some =
      kind === "helped"
        ? all.filter(([, , helped]) => helped)
        : games.filter(([, label]) => kind === "all" || (label || "open") === kind);
    const won = some.filter(([one]) => one).length;
    put(row, "played", some.length);
    put(row, "won", won);
    put(row, "share", some.length ? Math.round((100 * won) / some.length) : "–");
  }
  const [row, most] = inRow(games.map(([won]) => won));
  put(section, "row", row);
  put(section, "most", most);
  section.hidden = false;
  section.querySelector("[data-forget]").onclick = () => {
    localStorage.removeItem(`games-${game}`);
    showStats(section);
  };
}

// How many of these games were won in a row, up to the last one and at most.
function inRow(games) {
  let row = 0,
    most = 0;
  for (const won of games) most = Math.max(most, (row = won ? row + 1 : 0));
  return [row, most];
}

// What came of a numbered deal: 1 won, 0 lost, undefined not played; the first try counts.
function tried(game) {
  const games = Object.values(read(game)).reverse();
  const found = new Map(games.map(([won, , , deal]) => [deal, won]));
  return (deal) => found.get(Number(deal));
}

// What came of the numbered deals of the last days.
function showDays(list) {
  const won = tried(list.dataset.days);
  for (const day of list.querySelectorAll("[data-deal]")) {
    const how = { 1: "won", 0: "lost" }[won(day.dataset.deal)];
    if (!how) continue;
    day.classList.add(how);
    day.querySelector("[data-words]").textContent = list.dataset[how];
  }
}

// The end of a deal of the day: how the last ones went, how many were won in a row, and a text that tells no card.
function showDaily(day, game) {
  const ticks = day.querySelector("[data-days]");
  showDays(ticks);
  const [row, most] = inRow(day.dataset.past.split(" ").map(tried(game)));
  const words = day.querySelector("#row");
  words.textContent = words.dataset.words.replace("{n}", row).replace("{m}", most);
  const signs = [...ticks.children].map(({ classList }) =>
    classList.contains("won") ? "✓" : classList.contains("lost") ? "✗" : "–",
  );
  const text = [day.dataset.said, signs.join(" "), new URL(day.dataset.address, location.href)].join("\n");
  day.querySelector("[data-share]").dataset.text = text;
  day.querySelector("[data-copy]").dataset.copy = text;
}

// What was to be won at the beginning, and for who has won, how near the end was.
function showChances(list, thoughts, how) {
  if (!list || !thoughts.length) return;
  const percent = (chance) => list.dataset.percent.replace("{n}", Math.round(100 * chance));
  const [first, least] = list.querySelectorAll("dd");
  first.textContent = percent(thoughts[0].best_chance);
  const after = thoughts.map(({ chance }) => chance);
  const n = after.indexOf(Math.min(...after));
  least.textContent = percent(thoughts[n].chance);
  const words = least.previousElementSibling;
  words.textContent = words.dataset.words.replace("{n}", n + 1);
  least.parentElement.hidden = how !== "won";
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
