// On the screen for all: where even the smallest type leaves no room for all, pages are turned.
import { fits } from "./fit.js";

const PAGE = 6000; // ms
let timer = 0,
  putBack = () => {};

// `items` go through the `lists` of this box, one column after the other, as many at once as find room. The page with
// number `wanted` of them comes first.
export function turn(box, lists, items, wanted = 0) {
  let next = 0;
  const put = (from, to) => {
    const half = Math.ceil((to - from) / lists.length);
    lists.forEach((list, n) => {
      const first = from + n * half;
      list.replaceChildren(...items.slice(first, Math.min(to, first + half)));
    });
  };
  const show = () => {
    const first = next === items.length ? 0 : next;
    next = items.length + 1;
    do put(first, --next);
    while (next > first + 1 && !fits(box));
  };
  do show();
  while (next <= wanted);
  timer = setInterval(() => {
    box.closest(".tv")?.toggleAttribute("data-same", true); // what was dealt is not dealt again
    show();
  }, PAGE);
  taken(() => put(0, items.length));
}

// What has been taken out of a picture stands in it again, and no page is turned: what fits is looked at with all of it.
export function whole() {
  clearInterval(timer);
  putBack();
  putBack = () => {};
}

// `back` puts back what has just been taken out.
export function taken(back) {
  putBack = back;
}
