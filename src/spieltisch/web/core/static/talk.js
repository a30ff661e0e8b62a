// What people say: a bubble beside the seat for some seconds, and the polite region for those who listen.
import { setting } from "./settings.js";

const SHOWN = 6000; // ms

export function hear(table, { seat, name, words }) {
  if (!setting("voices")) return;
  const bubbles = document.getElementById("voices");
  const said = { name, words };
  document.getElementById("polite").textContent = bubbles.dataset.said.replace(/\{(\w+)\}/g, (_, one) => said[one]);
  bubbles.querySelector(`[data-of="${seat}"]`)?.remove();
  const bubble = Object.assign(document.createElement("p"), { className: "voice" });
  bubble.dataset.of = seat;
  bubble.append(Object.assign(document.createElement("b"), { textContent: name }), ` ${words}`);
  bubbles.append(bubble);
  const at = table.querySelector(`[data-seat="${seat}"]`)?.getBoundingClientRect();
  if (at && table.dataset.screen === "big") {
    // the seats stand along the lower edge
    bubble.style.left = `${Math.min(at.left, innerWidth - bubble.offsetWidth - 8)}px`;
    bubble.style.top = `${at.top - bubble.offsetHeight - 8}px`;
  } else if (at) {
    const beside = innerWidth >= 1000; // the strip stands at the left
    const left = beside ? at.right + 8 : at.left;
    bubble.style.left = `${Math.max(8, Math.min(left, innerWidth - bubble.offsetWidth - 8))}px`;
    bubble.style.top = `${beside ? at.top : at.bottom + 4}px`;
  }
  setTimeout(() => bubble.remove(), SHOWN);
}

// The sheet closes when something has been said.
document.addEventListener("submit", (event) => {
  if (event.target.dataset.to === "say") event.target.closest("[popover]")?.hidePopover();
});
