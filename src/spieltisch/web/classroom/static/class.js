// A class that lives: what changes is put in its place; who gets a seat is led there.
import { open } from "../line.js";
import { banner, keepPresses } from "../presses.js";
import { swap } from "../swap.js";

const page = document.getElementById("class");
const { screen, lang, offline, kept, held, online } = page.dataset;
const address = new URL(page.dataset.live, location.href);
address.protocol = address.protocol.replace("http", "ws");

let gone = false;
const show = () => {
  const words = waits() ? held : gone && kept;
  document.getElementById("alarm").replaceChildren(...(words ? [banner(offline, words)] : []));
};
const waits = keepPresses(() => gone, show);

open(address, {
  hello: () => ({ screen, lang }),
  hear(message) {
    if (message.goto) location.assign(message.goto);
    else if (message.html) swap(page, message.html, () => page.toggleAttribute("data-ready", true));
  },
  tell(lost) {
    gone = lost;
    show();
    if (!lost) document.getElementById("polite").textContent = online;
  },
});
