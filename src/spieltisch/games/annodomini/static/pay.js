// Cards that somebody has to draw glide to their seat, one after the other; its number counts each as it arrives.

// `from`: where each of them begins, from the window's corner; `mark` is the seat's shape, `held` its number.
export function glide(table, from, mark, held) {
  const to = mark.getBoundingClientRect();
  held.textContent -= from.length;
  for (const [n, { x, y }] of from.entries()) {
    const flying = document.createElement("i");
    flying.className = "flying";
    flying.style.setProperty("--n", n);
    for (const [name, at] of [
      ["left", x],
      ["top", y],
      ["--x", to.x - x],
      ["--y", to.y - y],
    ]) {
      flying.style.setProperty(name, `${at}px`);
    }
    table.append(flying);
    Promise.allSettled(flying.getAnimations().map((one) => one.finished)).then(() => {
      flying.remove();
      held.textContent = Number(held.textContent) + 1;
    });
  }
}
