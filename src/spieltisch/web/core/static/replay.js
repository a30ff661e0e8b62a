// Steps through a finished game without loading the page anew. Without this the links and the slider's form do it.
import { sayStep, teller } from "./aloud.js";
import { swap } from "./swap.js";

const PACE = 1600; // ms that a step is looked at when the game plays by itself
const NEAR = 12; // pages that are kept

export async function replay(table, offer) {
  const room = table.dataset.script ? await import(table.dataset.script) : null;
  const bar = document.getElementById("replay");
  const slider = document.getElementById("step");
  const tell = teller();
  const pages = new Map(); // address -> the page, on its way or there
  let wanted = "",
    timer = 0;

  const enhance = () => {
    offer(document);
    room?.enhance?.(table);
    table.dataset.ready = "";
    const run = bar.querySelector("#run");
    if (run) run.hidden = false;
    run?.setAttribute("aria-pressed", timer > 0);
    show(document.querySelector(".looking"));
    const next = bar.querySelector("#on");
    if (next?.href) load(next.href);
  };

  function load(address) {
    if (!pages.has(address)) {
      const got = fetch(address, { headers: { "x-requested-with": "fetch" } }).then((answer) =>
        answer.ok ? answer.text() : Promise.reject(),
      );
      got.catch(() => pages.delete(address));
      pages.set(address, got);
      if (pages.size > NEAR) pages.delete(pages.keys().next().value);
    }
    return pages.get(address);
  }

  async function go(address) {
    if (!address) return stop();
    wanted = address;
    let page;
    try {
      page = await load(address);
    } catch {
      return location.assign(address); // the server says why
    }
    if (wanted !== address) return; // somebody is quicker
    const next = new DOMParser().parseFromString(page, "text/html");
    history.replaceState(null, "", address);
    const focus = document.activeElement?.closest("#replay, [data-piece]") ? document.activeElement.id : "";
    for (const piece of document.querySelectorAll("[data-piece]")) piece.replaceWith(next.getElementById(piece.id));
    const there = next.getElementById("step"); // the slider itself stays: it may be under a thumb
    slider.value = there.value;
    sayStep(slider);
    swap(table, next.getElementById("table").innerHTML, enhance);
    if (focus) (document.getElementById(focus) ?? slider).focus({ preventScroll: true });
    tell(timer !== 0);
  }

  // Where the list of moves scrolls by itself, the one that is looked at stays in sight; the page stands still.
  function show(list) {
    const here = list?.querySelector("[aria-current]");
    if (!here) return;
    const row = here.getBoundingClientRect(),
      { bottom } = list.getBoundingClientRect(),
      top = list.firstElementChild.getBoundingClientRect().bottom; // what is said of the move stays above the list
    if (row.bottom > bottom) list.scrollTop += row.bottom - bottom;
    else if (row.top < top) list.scrollTop -= top - row.top;
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    bar.querySelector("#run")?.setAttribute("aria-pressed", "false");
  }

  async function run() {
    timer = -1; // under way
    const next = bar.querySelector("#on");
    if (!next?.href) return stop();
    await go(next.href);
    if (timer) timer = setTimeout(run, PACE);
  }

  document.addEventListener("click", (event) => {
    const course = event.target.closest("[data-course]"); // a drawing over all moves, as wide as they are many
    const link = event.target.closest("a[data-step]");
    const button = event.target.closest("#run");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      stop();
      go(link.href);
    } else if (button) {
      const runs = timer !== 0;
      stop();
      if (!runs) {
        button.setAttribute("aria-pressed", "true");
        timer = -1;
        if (bar.querySelector("#on")?.href) run();
        else
          go(bar.querySelector("#first")?.href).then(() => {
            timer = setTimeout(run, PACE);
          }); // once more
      }
    } else if (course) {
      const { left, width } = course.getBoundingClientRect();
      slider.value = Math.ceil((slider.max * (event.clientX - left)) / width);
      slide();
    }
  });
  function slide() {
    stop();
    sayStep(slider);
    const address = new URL(location.href);
    address.searchParams.set(slider.name, slider.value);
    go(address.href);
  }
  slider.addEventListener("input", slide);
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, summary, .scroll-x, [role=menu]")) return;
    const id = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
    if (!id) return;
    event.preventDefault();
    stop();
    const link = bar.querySelector(`#${id}`);
    if (link?.href) go(link.href);
  });
  enhance();
}
