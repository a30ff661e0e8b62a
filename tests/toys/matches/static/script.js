// Matches, enhanced: the matches that a button would take are marked while it has the focus.

export function enhance(table) {
  const lying = [...table.querySelectorAll(".match")];
  const mark = (n) => lying.forEach((match, i) => match.classList.toggle("going", i >= lying.length - n));
  for (const button of table.querySelectorAll("[data-take]")) {
    button.addEventListener("focus", () => mark(Number(button.dataset.take)));
    button.addEventListener("blur", () => mark(0));
  }
}
