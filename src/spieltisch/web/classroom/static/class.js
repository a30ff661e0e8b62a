// A class that lives: what changes is put in its place; who gets a seat is led there.
import { open } from "../line.js";
import { swap } from "../swap.js";

const page = document.getElementById("class");
const { screen, lang, offline, kept, online } = page.dataset;
const address = new URL(page.dataset.live, location.href);
address.protocol = address.protocol.replace("http", "ws");

open(address, {
  hello: () => ({ screen, lang }),
  hear(message) {
    if (message.goto) location.assign(message.goto);
    else if (message.html) swap(page, message.html, () => page.toggleAttribute("data-ready", true));
  },
  tell(lost) {
    const banner = Object.assign(document.createElement("p"), { className: "line" });
    banner.append(Object.assign(document.createElement("b"), { textContent: offline }), " ", kept);
    document.getElementById("alarm").replaceChildren(...(lost ? [banner] : []));
    if (!lost) document.getElementById("polite").textContent = online;
  },
});
