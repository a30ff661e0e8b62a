// Searching in the rules: parts without the word are put away, the word is marked where it stands.

const MARK = "found";
const SAME = { ß: "ss", ς: "σ", "’": "'", "‘": "'", ʼ: "'", "´": "'", "`": "'", "‐": "-", "‑": "-", "\u00a0": " " };
const UNSEEN = /[\p{M}\u00ad\u200b\u2060\ufeff]/u;

export function find(input) {
  const rules = document.getElementById("rules");
  const out = document.getElementById("found");
  const parts = []; // a heading with what follows it
  for (const child of rules.children) {
    if (/^H[12]$/.test(child.tagName) || !parts.length) parts.push([]);
    parts.at(-1).push(child);
  }
  input.closest("label").hidden = false;
  input.addEventListener("input", () => {
    const word = folded(input.value.trim()).text;
    const hits = [];
    for (const part of parts) {
      const there = part.some((one) => folded(one.textContent).text.includes(word));
      for (const one of part) one.hidden = !there;
      if (there && word) for (const one of part) hits.push(...places(one, word));
    }
    if (globalThis.CSS?.highlights) {
      CSS.highlights.delete(MARK);
      if (hits.length) CSS.highlights.set(MARK, new Highlight(...hits));
    }
    out.value = word && !hits.length ? out.dataset.none : "";
  });
}

// The text as it is compared, as `folded` in `decks/text.py` without marks: "horum" finds "hōrum", "fur" finds "für".
// `from` has the place in the text of each of its letters.
export function folded(text) {
  const from = [];
  let plain = "";
  let at = 0;
  for (const sign of text) {
    for (const letter of (SAME[sign] ?? sign).toLowerCase().normalize("NFD")) {
      if (UNSEEN.test(letter)) continue;
      const same = SAME[letter] ?? letter;
      plain += same;
      for (let i = 0; i < same.length; i++) from.push(at);
    }
    at += sign.length;
  }
  from.push(text.length);
  return { text: plain, from };
}

function places(element, word) {
  const found = [];
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const { text, from } = folded(node.data);
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      const range = new Range();
      range.setStart(node, from[at]);
      range.setEnd(node, from[at + word.length]);
      found.push(range);
    }
  }
  return found;
}
