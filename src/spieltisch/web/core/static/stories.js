// Who is remembered for what stands in the result itself. It is fetched once; a page that is drawn anew gets it again.

const told = new Map(); // what each address said

// `data-only`: what of it is shown; else all, in the place of the link that leads there without scripts.
export async function tell(root) {
  const place = root.querySelector("[data-stories]");
  const address = place?.dataset.stories;
  if (!address) return;
  if (!told.has(address)) told.set(address, fetched(address));
  const section = await told.get(address);
  const { only } = place.dataset;
  const shown = only ? section?.querySelector(only) : section;
  if (!shown || !place.isConnected || "told" in place.dataset) return;
  place.dataset.told = "";
  place.replaceChildren(shown.cloneNode(true));
  for (const button of place.querySelectorAll("[data-copy]")) button.hidden = false;
  place.dispatchEvent(new Event("told", { bubbles: true }));
}

async function fetched(address) {
  const answer = await fetch(address, { headers: { accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return told.delete(address) && null; // the link stays, and the next picture tries again
  return new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("stories");
}
