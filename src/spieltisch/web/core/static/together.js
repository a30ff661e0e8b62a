// People look back at a game together: who leads steps, and every page shows the same moment.
import { sayStep, teller } from "./aloud.js";
import { open } from "./line.js";
import { banner, keepPresses } from "./presses.js";
import { swap } from "./swap.js";

const NEXT = ["step", "unfork", "whatif", "own"]; // where one is when what had the focus has gone
const STEPS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

export async function together(table, offer) {
  const room = table.dataset.script ? await import(table.dataset.script) : null;
  const { screen = "", lang, offline, kept, held, online } = table.dataset;
  const polite = document.getElementById("polite");
  const slider = () => document.getElementById("step");
  const tell = teller();
  let sliding = false,
    gone = false;

  const enhance = () => {
    offer(document);
    room?.enhance?.(table);
    table.dataset.ready = "";
  };

  function show(html) {
    const next = new DOMParser().parseFromString(html, "text/html");
    const focus = document.activeElement?.closest("[data-piece]") ? document.activeElement.id : "";
    for (const piece of document.querySelectorAll("[data-piece]")) {
      const new_ = next.getElementById(piece.id);
      const there = next.getElementById("step");
      if (piece.contains(slider()) && there) {
        // the slider itself stays: it may be under a thumb
        if (!sliding) slider().value = there.value;
        sayStep(slider());
      } else if (new_) piece.replaceWith(new_);
    }
    const now = next.getElementById("table");
    table.className = now.className;
    const forked = table.classList.contains("forked");
    if (screen !== "big") {
      document.body.classList.toggle("forking", forked);
      document.body.classList.toggle("replaying", !forked);
    }
    swap(table, now.innerHTML, enhance);
    if (focus) {
      const next = [focus, ...NEXT].map((id) => document.getElementById(id)).find((one) => one?.checkVisibility());
      next?.focus({ preventScroll: true });
    }
    tell();
  }

  const showLine = () => {
    const words = waits() ? held : gone && kept;
    document.getElementById("alarm").replaceChildren(...(words ? [banner(offline, words)] : []));
  };
  const waits = keepPresses(() => gone, showLine);

  const address = new URL(table.dataset.together, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  open(address, {
    hello: () => ({ screen, lang }),
    hear(message) {
      if (message.goto) location.assign(message.goto);
      else if (message.html) show(message.html);
    },
    tell(lost) {
      gone = lost;
      showLine();
      if (lost) return;
      polite.textContent = online;
      for (const one of document.querySelectorAll(".refused")) one.textContent = "";
    },
  });

  async function send(action, body) {
    const asked = { method: "POST", headers: { accept: "application/json" }, body };
    const answer = await fetch(action, asked).catch(() => null);
    const { detail } = answer?.ok ? { detail: "" } : ((await answer?.json().catch(() => ({}))) ?? {});
    const refusal = document.querySelector(".forking .dock .refused") ?? document.getElementById("refusal");
    if (refusal) refusal.textContent = detail ?? `${offline} ${kept}`; // a proxy may answer for a server that has gone
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target,
      action = form.getAttribute("action"); // a game's form may have a field of this name
    if (event.defaultPrevented || !action?.includes("/together")) return;
    event.preventDefault();
    await send(action, new URLSearchParams(new FormData(form, event.submitter)));
  });

  // The newest step is sent; those that came while one was on its way are passed over.
  let wanted = null,
    sending = false;
  async function step(form) {
    wanted = new URLSearchParams(new FormData(form));
    if (sending) return;
    sending = true;
    while (wanted !== null) {
      const body = wanted;
      wanted = null;
      await send(form.getAttribute("action"), body);
    }
    sending = false;
  }
  document.addEventListener("input", ({ target }) => {
    if (target.id !== "step") return;
    sayStep(target);
    step(target.form);
  });
  document.addEventListener("pointerdown", ({ target }) => (sliding = target.id === "step"));
  document.addEventListener("pointerup", () => (sliding = false));
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, summary, .scroll-x, [role=menu]")) return;
    const button = document.getElementById(STEPS[event.key]);
    if (!button?.form) return;
    event.preventDefault();
    button.click();
  });
  enhance();
}
