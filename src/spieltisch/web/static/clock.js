// The time to answer, drawn: the ring empties, the number counts down. What happens when it is up is the server's.
const SAID = [15, 10, 5]; // seconds left that are said aloud
let timer = 0;

// `behind`: how many seconds this device's clock is behind the server's.
export function wind(table, behind) {
  clearTimeout(timer);
  const rings = [...table.querySelectorAll("[data-until]")];
  if (!rings.length) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  for (const ring of rings) {
    const of = Number(ring.dataset.of);
    const gone = of - left(ring, behind);
    const pace = still ? `steps(${of})` : "linear";
    for (const [name, value] of [
      ["animation", `ring ${of}s ${pace} both`],
      ["animation-delay", `${-gone}s`],
    ]) {
      ring.querySelector("circle + circle").style.setProperty(name, value, "important");
    }
  }
  tick(rings, behind);
}

function left(ring, behind) {
  return Math.max(0, Number(ring.dataset.until) - (Date.now() / 1000 + behind));
}

function tick(rings, behind) {
  const exact = left(rings[0], behind);
  const seconds = Math.ceil(exact);
  for (const ring of rings) {
    ring.querySelector("b").textContent = seconds;
    ring.classList.toggle("last", seconds <= 5);
  }
  if (SAID.includes(seconds) && seconds < Number(rings[0].dataset.of)) {
    document.getElementById("polite").textContent = rings[0].dataset.words.replace("#", seconds);
  }
  if (exact > 0) timer = setTimeout(() => tick(rings, behind), (exact % 1 || 1) * 1000 + 5);
}
