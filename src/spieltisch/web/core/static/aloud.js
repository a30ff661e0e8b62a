// What pages that look back say aloud after a step: what is new of `data-say`, in the order of its numbers, and what has
// gone. The slider says the step itself.
const STEP = "2";

function read() {
  const found = new Map();
  for (const { dataset, textContent } of document.querySelectorAll("[data-say]"))
    found.set(dataset.say, { words: textContent.replace(/\s+/g, " ").trim(), gone: dataset.gone });
  return found;
}

const ended = (words) => (/[.?!…”“»]$/.test(words) ? words : `${words}.`);

// Returns what says it, in the polite region. `brief`: without the step.
export function teller() {
  let before = read();
  return (brief = false) => {
    const now = read();
    const gone = [...before].filter(([name, { gone }]) => gone && !now.has(name)).map(([, { gone }]) => gone);
    const news = [...now]
      .filter(([name, { words }]) => words && words !== before.get(name)?.words)
      .filter(([name]) => name !== STEP || !(brief || document.activeElement?.id === "step"))
      .sort()
      .map(([, { words }]) => ended(words));
    before = now;
    if (gone.length + news.length) document.getElementById("polite").textContent = [...gone, ...news].join(" ");
  };
}

// The slider says at once where it is, before the server shows that step.
export function sayStep(slider) {
  slider.setAttribute("aria-valuetext", slider.dataset.words.replace("{n}", slider.value));
}
