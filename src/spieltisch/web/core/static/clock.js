// The time to answer, drawn: the ring empties, the number counts down. What happens when it is up is the server's.
import { locale, still } from "./settings.js";

const SAID = [15, 10, 5]; // seconds left that are said aloud
let timer = 0,
  end = Infinity; // ms, by this device's clock

// `behind`: how many seconds this device's clock is behind the server's.
export function wind(table, behind) {
  clearTimeout(timer);
  const rings = [...table.querySelectorAll("[data-until]")];
  end = rings.length ? (Number(rings[0].dataset.until) - behind) * 1000 : Infinity;
  if (!rings.length) return;
  for (const ring of rings) {
    const of = Number(ring.dataset.of);
    const gone = of - left(ring, behind);
    const pace = still() ? `steps(${of})` : "linear";
    for (const [name, value] of [
      ["animation", `ring ${of}s ${pace} both`],
      ["animation-delay", `${-gone}s`],
    ]) {
      ring.querySelector("circle + circle").style.setProperty(name, value, "important");
    }
  }
  tick(rings, behind);
}

// The ms until the time is up; Infinity where there is no limit.
export function timeLeft() {
  return end - Date.now();
}

// (Where a reveal is shown first, by all of it, until it begins to run.)
function left(ring, behind) {
  return Math.min(Number(ring.dataset.of), Math.max(0, Number(ring.dataset.until) - (Date.now() / 1000 + behind)));
}

function tick(rings, behind) {
  const exact = left(rings[0], behind);
  const seconds = Math.ceil(exact);
  for (const ring of rings) {
    ring.querySelector("b").textContent = seconds;
    ring.classList.toggle("last", seconds <= 5);
  }
  for (const one of document.querySelectorAll("[data-left]")) one.textContent = seconds;
  const { words, of } = rings[0].dataset; // of others' time nothing is said aloud
  if (words && SAID.includes(seconds) && seconds < Number(of)) {
    document.getElementById("polite").textContent = words.replace("{n}", seconds);
  }
  if (exact > 0) timer = setTimeout(() => tick(rings, behind), (exact % 1 || 1) * 1000 + 5);
}

// Who is away stays away: `data-away` says since when (by the server's clock), `data-words` how the minutes are told.
let minute = 0;

export function count(table, behind) {
  for (const one of table.querySelectorAll("time[datetime]")) {
    const day = "day" in one.dataset ? { weekday: "short", day: "numeric", month: "short" } : {};
    const local = { ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    one.textContent = new Date(one.dateTime).toLocaleString(locale(), local);
  }
  clearTimeout(minute);
  const away = [...table.querySelectorAll("[data-away]")];
  for (const one of away) {
    const minutes = Math.floor((Date.now() / 1000 + behind - Number(one.dataset.away)) / 60);
    const words = one.dataset.words.replace("{n}", minutes);
    if (minutes > 0 && one.textContent !== words) one.textContent = words;
  }
  if (away.length) minute = setTimeout(() => count(table, behind), 5000);
}
