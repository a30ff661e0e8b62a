// One WebSocket a page. The page says what it has seen and gets the newest fragment; forms' fields go the same way.
import { wind } from "./clock.js";
import { sound } from "./sound.js";
import { hear } from "./talk.js";
import { swap } from "./swap.js";

const ANSWER = 4000; // ms to wait for an answer before the line counts as dead
const LATE = 45000; // ms to wait for others before the page says what can be done

export async function live(table, offer) {
  const line = document.getElementById("line");
  const room = table.dataset.script ? await import(table.dataset.script) : null;
  let late = 0,
    behind = Number(table.dataset.now) - Date.now() / 1000;
  const enhance = () => {
    offer(table);
    wind(table, behind);
    clearTimeout(late);
    const nudge = table.querySelector("[data-late]");
    if (nudge)
      late = setTimeout(() => {
        nudge.hidden = false;
      }, LATE);
    room?.enhance?.(table);
    table.dataset.ready = "";
  };
  const utf8 = new TextDecoder();
  const waiting = new Map(); // id -> the message that waits for its answer, and what to do with that
  let socket,
    parts = [],
    seen = Number(table.dataset.seq),
    next = 1,
    wait = 500,
    lost = false,
    answered = null;

  function connect() {
    const address = new URL(table.dataset.live, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      wait = 500;
      socket.send(JSON.stringify({ seen, lang: table.dataset.lang, screen: "screen" in table.dataset }));
      // What was not answered is sent again: a move carries its question's number, so it is never made twice.
      for (const { message } of waiting.values()) if (!message.ping) socket.send(JSON.stringify(message));
      say(false);
    };
    socket.onmessage = (event) => receive(JSON.parse(utf8.decode(event.data)));
    socket.onclose = () => {
      say(true);
      setTimeout(connect, wait * (0.75 + Math.random() / 2));
      wait = Math.min(wait * 2, 8000);
    };
  }

  // "Connection lost" is said after a moment only: most breaks are shorter than a look at the screen.
  function say(gone) {
    if (gone === lost) return;
    lost = gone;
    if (!gone) {
      if (!line.hidden) {
        line.textContent = table.dataset.online;
        setTimeout(() => {
          if (!lost) line.hidden = true;
        }, 1500);
      }
    } else
      setTimeout(() => {
        if (!lost) return;
        line.textContent = table.dataset.offline;
        line.hidden = false;
      }, 1200);
  }

  function receive(message) {
    if ("id" in message || "pong" in message) {
      const key = message.id ?? `p${message.pong}`;
      waiting.get(key)?.done(message);
      waiting.delete(key);
      return;
    }
    if (message.stage && table.dataset.stage && message.stage !== table.dataset.stage) return location.reload();
    if (message.voice) {
      sound("voice");
      return hear(table, message.voice);
    }
    if (message.goto) return location.assign(message.goto);
    if (message.parts && (message.seq ?? 0) >= seen) {
      seen = message.seq;
      if (message.now) behind = message.now - Date.now() / 1000;
      parts = message.parts.map((part, n) => part ?? parts[n]); // null: as it was
      document.title = message.title;
      showTurn(message.turn);
      swap(table, parts.join(""), () => {
        enhance();
        ring(message.turn);
      });
    }
    if (message.say) document.getElementById("polite").textContent = message.say;
    if (message.alert) document.getElementById("assertive").textContent = message.alert;
  }

  // The tab shows that it is one's turn, too; and who likes hears it, when it is to be seen.
  let mine = "turn" in table.dataset,
    over = table.querySelector("#over") !== null;
  function showTurn(turn) {
    document.querySelector("link[rel=icon]").href = turn ? table.dataset.iconTurn : table.dataset.icon;
  }
  function ring(turn) {
    const ended = table.querySelector("#over") !== null;
    sound(ended && !over ? "over" : turn && !mine ? "turn" : "move");
    [mine, over] = [turn, ended];
  }
  showTurn(mine);

  function ask(key, message) {
    return new Promise((done) => {
      waiting.set(key, { message, done });
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
      setTimeout(() => {
        if (waiting.has(key)) socket.close();
      }, ANSWER); // a dead line: opened anew, sent again
    });
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    const to = form.id === "move" ? "move" : form.dataset.to;
    if (!to || event.defaultPrevented) return;
    event.preventDefault();
    const question = to === "move" ? [form.elements.question, form.elements.as].map((one) => one?.value).join() : null;
    if (question && question === answered) return; // it is on its way to being shown
    const fields = [...new FormData(form, event.submitter)].map(([name, value]) => [name, String(value)]);
    event.submitter?.setAttribute("aria-busy", "true");
    const id = next++;
    const answer = await ask(id, { id, to, fields });
    if (question && answer.ok)
      answered = question; // stays busy until the table is drawn anew
    else event.submitter?.removeAttribute("aria-busy");
    if (answer.note) document.getElementById("polite").textContent = answer.note;
    const refused = table.querySelector(".dock .refused");
    if (refused) refused.textContent = answer.error ?? "";
  });

  // A phone that was in a pocket: prove the line before it is trusted.
  document.addEventListener("visibilitychange", async () => {
    if (document.hidden) return;
    if (socket.readyState !== WebSocket.OPEN) return;
    const ping = next++;
    const timer = setTimeout(() => socket.close(), 1500);
    await ask(`p${ping}`, { ping });
    clearTimeout(timer);
  });

  enhance();
  connect();
}
