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
  return arrived(stage, () =>
    [one, stage].every((box) => box.scrollHeight <= box.clientHeight + 1 && box.scrollWidth <= box.clientWidth + 1),
  );
}

// What is seen in this box once nothing moves any more: a card that is being dealt begins above its place, so that more
// seems to fit than does.
function arrived(box, look) {
  const moving = box.getAnimations({ subtree: true }).filter((one) => Number.isFinite(one.currentTime));
  const ending = moving.map((one) => [one, one.currentTime, one.effect.getComputedTiming().endTime]);
  const finite = ending.filter(([, , end]) => Number.isFinite(end));
  for (const [one, , end] of finite) one.currentTime = end;
  const seen = look();
  for (const [one, now] of finite) one.currentTime = now;
  return seen;
}
