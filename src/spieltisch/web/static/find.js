// Searching in the rules: parts without the word are put away, the word is marked where it stands.

const MARK = "found";

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
    const word = input.value.trim().toLowerCase();
    const hits = [];
    for (const part of parts) {
      const there = part.some((one) => one.textContent.toLowerCase().includes(word));
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

function places(element, word) {
  const found = [];
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const text = node.data.toLowerCase();
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + word.length);
      found.push(range);
    }
  }
  return found;
}
