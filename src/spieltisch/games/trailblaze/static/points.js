// Points that count up at the end of a game, one column of the score after the other. `data-count` says in which step a
// number counts; those of one step count together, and a step without numbers takes no time. The page has the whole
// numbers: a page that is opened later, or is to move less, shows them at once.
import { still } from "../settings.js";

const STEP = 900; // ms
let live = false, // this page has seen the game before its end
  begun = 0; // when the count began, by this page's clock; 0: it has not
const sums = new WeakMap(); // what each number counts up to

// Called for each picture, when its score can be seen.
export function countUp(table) {
  if (!table.querySelector("#over")) {
    live = true;
    begun = 0;
    return;
  }
  const numbers = [...table.querySelectorAll("[data-count]")].filter((one) => one.checkVisibility());
  if (!live || still() || !numbers.length) return;
  begun ||= performance.now();
  for (const one of numbers) if (!sums.has(one)) sums.set(one, Number(one.textContent));
  const steps = [...new Set(numbers.map((one) => one.dataset.count))].sort();
  const step = (now) => {
    let runs = false;
    for (const one of numbers) {
      const part = (now - begun) / STEP - steps.indexOf(one.dataset.count);
      one.textContent = Math.round(sums.get(one) * Math.min(1, Math.max(0, part)));
      runs ||= one.isConnected && part < 1;
    }
    if (runs) requestAnimationFrame(step);
  };
  step(performance.now());
}
