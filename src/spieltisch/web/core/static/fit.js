// Type as large as there is room. `data-fit` names what is tried, from large to small: "48 42 36:dense 28:dense" are the
// size of the type and classes of the whole screen. Done before a picture is shown, never while something moves.
export function fit(screen) {
  for (const one of screen.querySelectorAll("[data-fit]")) if (one.checkVisibility()) fitOne(screen, one);
}

export function fitOne(screen, one) {
  const steps = one.dataset.fit.split(" ").map((step) => step.split(":"));
  const all = steps.flatMap(([, ...classes]) => classes);
  for (const [size, ...classes] of steps) {
    screen.classList.remove(...all);
    screen.classList.add(...classes);
    one.style.setProperty("--fs", size);
    if (fits(one)) return true;
  }
  return false;
}

export function fits(one) {
  const stage = one.closest(".tvm");
  return [one, stage].every(
    (box) => box.scrollHeight <= box.clientHeight + 1 && box.scrollWidth <= box.clientWidth + 1,
  );
}
