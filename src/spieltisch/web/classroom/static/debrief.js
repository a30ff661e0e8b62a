// One slide after the other, by arrow keys or the two buttons; an answer is turned over first. Without this all slides
// stand one under the other. The wall of the class shows the same.
const slides = [...document.querySelectorAll(".slide")];
const at = document.getElementById("at");
const [back, on] = ["back", "on"].map((id) => document.getElementById(id));
const words = at.dataset.words;
const { look } = document.querySelector("[data-look]").dataset;
let now = Math.min(Math.max(Number(location.hash.slice(1)) || 1, 1), slides.length) - 1;

const answer = () => slides[now].querySelector(".dback");

function show(n, open) {
  now = n;
  slides.forEach((slide, i) => (slide.hidden = i !== now));
  const turned = answer();
  if (turned) turned.hidden = !open;
  at.textContent = words.replace("{n}", now + 1).replace("{m}", slides.length);
  back.disabled = !now && !(turned && open);
  on.disabled = now === slides.length - 1 && !turned?.hidden;
  history.replaceState(null, "", `#${now + 1}`);
  follow(2 * (now + 1) + Number(open));
}

// The newest step is sent; those that came while one was on its way are passed over.
let wanted, sending;
async function follow(step) {
  wanted = step;
  if (sending) return;
  sending = true;
  while (wanted !== null) {
    const body = new URLSearchParams({ look: wanted });
    wanted = null;
    await fetch(look, { method: "POST", body, redirect: "manual" }).catch(() => null);
  }
  sending = false;
}

function step(by) {
  const turned = answer();
  if (by > 0 && turned?.hidden) return show(now, true);
  if (by < 0 && turned && !turned.hidden) return show(now, false);
  const next = now + by;
  if (next >= 0 && next < slides.length) show(next, by < 0);
}

document.documentElement.classList.add("stepped");
back.hidden = on.hidden = false;
back.addEventListener("click", () => step(-1));
on.addEventListener("click", () => step(1));
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const by = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
  if (by) step(by);
  else if (event.key === "Home") show(0, false);
  else if (event.key === "End") show(slides.length - 1, true);
  else return;
  event.preventDefault();
});
show(now, false);
