// A table that lives: the page says what it has seen and gets the newest fragment; forms' fields go the same way.
import { count, wind } from "./clock.js";
import { keeping } from "./kept.js";
import { open } from "./line.js";
import { banner, keepPresses, untilReached } from "./presses.js";
import { afterwards, expect, stage, staged } from "./staging.js";
import { offerSound, sound } from "./sound.js";
import { hear } from "./talk.js";
import { still } from "./settings.js";
import { asked, swap } from "./swap.js";

const READ = 20000; // ms for which a notice of whoever runs the server lies over a corner of the page
const TYPING = 5000; // ms until it is told again that somebody types
const ZERO = 0x30; // see `take`
const FIRST = 0x80;
const KEEPS = 512; // parts of pictures that the page keeps, so that each is sent once
const HOLE = "\x7f"; // in a part: where one of the parts that come next goes
const BUSY = 400; // ms without an answer until what was pressed shows that it is on its way

// The HTML of these parts, as `html_of` puts it together.
function filled(parts) {
  let html = "";
  const rest = parts.values();
  for (const part of rest) {
    const [first, ...others] = part.split(HOLE);
    html += first;
    for (const one of others) html += rest.next().value + one;
  }
  return html;
}

export async function live(table, offer) {
  const room = table.dataset.script ? await import(table.dataset.script) : null;
  let held = 0,
    behind = Number(table.dataset.now) - Date.now() / 1000;
  const enhance = () => {
    offer(table);
    offerSound(table);
    stage(table, behind);
    wind(table, behind);
    count(table, behind);
    if (press?.question && press.question !== asked(table)) idle();
    else if (press?.late) busy();
    showStatus(waiting.length > 0);
    room?.enhance?.(table);
    refuse();
    table.dataset.ready = "";
  };
  const alarm = document.getElementById("alarm");
  const polite = document.getElementById("polite");
  const page = crypto.getRandomValues(new Uint32Array(2)).join("-"); // whose numbers of messages these are
  const known = new Map(); // parts by their numbers, as they came on this socket
  const again = new Set(); // the numbers of those that were shown again, after another picture
  let parts = [],
    order = [], // their numbers
    came = 0, // parts on this socket
    waiting = [],
    seen = Number(table.dataset.seq),
    drawn = seen,
    title = document.title,
    next = 1,
    paused = false,
    renewing = false,
    told = 0, // a timer
    press = null, // the last one, until its outcome is shown
    refusal = "", // until the picture that it belongs to is there
    said = {}; // what is to be said when the picture is there

  const waits = keepPresses(() => "lost" in table.dataset, showLine);
  function showLine() {
    const words = waits() ? table.dataset.held : "lost" in table.dataset && kept.words();
    alarm.replaceChildren(...(words === false ? [] : [banner(table.dataset.offline, words)]));
  }

  // It is told once, however many tries it takes, and beside the game: nothing on the page moves.
  function tell(lost) {
    table.toggleAttribute("data-lost", lost);
    showLine();
    goOn();
    wait();
    if (!lost) polite.textContent = table.dataset.online;
  }

  // That the game pauses, or that its last round is played, concerns the table as a whole: it is seen at once, and not
  // after what is being revealed on it. Where the newest picture is the one on the page there is nothing to put there.
  function showStatus(newer) {
    if (newer) {
      const part = parts.find((one) => one.includes('id="status"')) ?? "";
      const newest = Object.assign(document.createElement("template"), { innerHTML: part });
      const status = newest.content.querySelector("#status");
      if (status) table.querySelector("#status")?.replaceWith(status);
    }
    const rests = table.querySelector(".paused");
    if (rests && !paused) {
      for (const sheet of document.querySelectorAll(":popover-open")) sheet.hidePopover(); // what lies over the table
      speak({ polite: rests.textContent });
    }
    paused = rests !== null;
  }

  function speak(words) {
    for (const [region, text] of Object.entries(words)) if (text) document.getElementById(region).textContent = text;
  }

  // Another stage is another page. It begins at its top, and is loaded when the server can be reached: where a browser
  // fails to load a page, it shows an error in its place and tries no more.
  async function renew() {
    if (renewing) return;
    renewing = true;
    await untilReached(location.href);
    scrollTo(0, 0);
    location.reload();
  }

  // A picture as it comes: "+" for the next text, "1" to "X" for 1 to 40 parts that come next in the last picture, any
  // other sign for the part of its number. A part that was not there takes the place of one. The server forgets the same
  // parts at the same time: the oldest ones, but those that were shown again last. Without signs the texts are the whole
  // picture. Returns the texts that are left.
  function take(texts, signs) {
    const old = order,
      news = texts.values();
    let after = 0;
    order = [];
    if (!signs) {
      parts = texts;
      return news;
    }
    for (const sign of signs) {
      const same = sign.charCodeAt(0) - ZERO,
        part = sign.charCodeAt(0) - FIRST;
      if (sign === "+") {
        known.set(came, news.next().value);
        order.push(came++);
        after++;
      } else if (part < 0) {
        order.push(...old.slice(after, after + same));
        after += same;
      } else {
        order.push(part);
        again.add(part);
        const place = old.lastIndexOf(part);
        after = (place < 0 ? after : place) + 1;
      }
    }
    parts = order.map((number) => known.get(number));
    if (known.size <= KEEPS) return news;
    const shown = new Set(order);
    const rest = [...known.keys()].filter((number) => !shown.has(number));
    rest.sort((one, other) => again.has(one) - again.has(other) || one - other);
    for (const number of rest.slice(0, known.size - KEEPS * 0.75)) known.delete(number);
    again.clear();
    return news;
  }

  function receive(message) {
    if (renewing || (message.stage && table.dataset.stage && message.stage !== table.dataset.stage)) return renew();
    if (message.voice) {
      sound("voice");
      return hear(table, message.voice);
    }
    if ("notice" in message) {
      const notice = document.getElementById("notice");
      notice.textContent = message.notice;
      notice.classList.remove("told");
      clearTimeout(told);
      told = setTimeout(() => notice.classList.add("told"), READ);
      return;
    }
    if (message.goto) {
      const go = () => location.assign(message.goto);
      return message.called ? go() : afterwards("goto", go);
    }
    const news = message.parts && take(message.parts, message.order);
    title = message.title || title; // sent once, like the parts
    if (message.parts && (message.seq ?? 0) >= seen) {
      const before = seen;
      seen = message.seq;
      const late = message.now - Date.now() / 1000; // by what it took to come here, too: the least of that is right
      behind = Math.abs(late - behind) > 5 ? late : Math.max(late, behind);
      const html = filled(parts);
      const reveals = Number(/data-staged="(\d+)"/.exec(html)?.[1]) > before;
      const ends = html.includes(' id="over"');
      showStatus(true);
      const sentences = message.order
        ? Array.from(message.say ?? "", (sign) => known.get(sign.charCodeAt(0) - FIRST) ?? news.next().value)
        : [message.say];
      const named = title;
      const words = { polite: sentences.join(" "), assertive: message.alert };
      if (seen === before)
        speak(words); // beside the game: it tells nothing of a reveal
      else
        said = {
          polite: [said.polite, words.polite].filter(Boolean).join(" "),
          assertive: words.assertive || said.assertive,
        };
      const tell = () => {
        document.title = named;
        showTurn(message.turn);
        speak(said);
        said = {};
      };
      // a reveal's end is not told before its picture says it
      const tells = reveals || staged() > 0 || waiting.some((one) => one.reveals);
      if (!tells) tell();
      const draw = () => {
        const moved = message.seq > drawn;
        drawn = message.seq;
        table.toggleAttribute("data-same", !moved); // somebody came or went: what was dealt is not dealt again
        if (reveals) expect();
        swap(table, html, () => {
          enhance();
          if (tells) afterwards("tell", tell);
          if (moved || message.turn !== mine) afterwards("ring", () => ring(message.turn));
          if (waiting.length) show();
        });
      };
      waiting = [...waiting.filter((one) => one.reveals && !reveals), { reveals, ends, draw }];
      show();
    }
  }

  // What waits to be shown: the newest picture, and before it the newest one of a reveal, which is not passed over. A
  // screen keeps its verdict for a while, however quick bots are.
  function show() {
    clearTimeout(held);
    if (kept.isAhead()) return;
    afterwards("draw", () => {
      const rest = room?.stays?.(waiting[0]) ?? 0;
      if (rest) held = setTimeout(show, rest);
      else waiting.shift()?.draw();
    });
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

  const address = new URL(table.dataset.live, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const hello = () => {
    known.clear(); // the server numbers anew on each socket
    again.clear();
    [order, came] = [[], 0];
    return { seen, page, lang: table.dataset.lang, screen: table.dataset.screen ?? "", keeps: KEEPS };
  };
  const ask = open(address, { hello, hear: receive, tell });
  const post = (to, fields) => {
    const id = next++;
    return ask(id, { id, to, fields });
  };
  const kept = keeping(table, {
    post,
    show(html, error) {
      refusal = error;
      if (waiting.length) show();
      else swap(table, html, enhance);
    },
  });

  // While the line is gone, a game that can shows how the table stands after a move.
  function goOn() {
    if (!room?.ahead || !("lost" in table.dataset) || !press?.question || press.question !== asked(table)) return;
    const mine = press;
    idle();
    const copy = room.ahead(table, mine.fields);
    press = mine;
    if (!copy) return busy();
    swap(table, kept.ahead(copy), enhance);
    alarm.querySelector(".line").lastChild.replaceWith(waits() ? table.dataset.held : kept.words());
  }

  function refuse() {
    const refused = table.querySelector(".refused");
    if (refused && refusal) refused.textContent = refusal;
    refusal = "";
  }

  // A move that waits for the line is not asked for once more.
  function wait() {
    const line = table.querySelector("#dock .turn > b");
    if (!line) return;
    const waits = Boolean(press?.question) && "lost" in table.dataset;
    table.toggleAttribute("data-pending", waits);
    if (waits) line.dataset.asks ??= line.textContent;
    const words = waits ? table.dataset.waits : line.dataset.asks;
    if (words) line.textContent = words;
  }

  // What was pressed shows that it is on its way, if that takes longer than a moment. The table may be drawn anew
  // meanwhile: then what stands in its place does.
  function busy() {
    press.late = true;
    wait();
    const { by } = press;
    const one = by?.isConnected ? by : document.getElementById(by?.id);
    (one?.checkVisibility() ? one : table.querySelector("#dock"))?.setAttribute("aria-busy", "true");
  }
  function idle() {
    clearTimeout(press?.timer);
    press = null;
    wait();
    for (const one of document.querySelectorAll("[aria-busy]")) one.removeAttribute("aria-busy");
  }

  // A tap on a seat opens what the table has to show of it: its open cards, its points.
  table.addEventListener("click", (event) => {
    const seat = event.target.closest(".seats a[data-seat]")?.dataset.seat;
    const found = [...table.querySelectorAll(`details[data-hand="${seat}"]`)];
    const one = found.find((each) => each.parentElement.checkVisibility?.() ?? true);
    if (!one) return;
    event.preventDefault();
    one.open = true;
    one.scrollIntoView({ block: "nearest", behavior: still() ? "instant" : "smooth" });
    one.querySelector("summary").focus({ preventScroll: true });
  });

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    const to = form.id === "move" ? "move" : form.dataset.to;
    if (!to || event.defaultPrevented) return;
    event.preventDefault();
    const question = to === "move" ? asked(table) : "";
    if (question && question === press?.question) return; // it is on its way
    const fields = [...new FormData(form, event.submitter)].map(([name, value]) => [name, String(value)]);
    idle();
    const mine = (press = { question, fields, by: event.submitter, timer: setTimeout(busy, BUSY) });
    const sent = question && room?.ahead ? kept.send(fields) : post(to, fields);
    goOn();
    const answer = await sent;
    // a move that was taken is shown with the next picture of the table
    if (press === mine && !(answer.ok && question && question === asked(table))) idle();
    if (answer.note) polite.textContent = answer.note;
    if (!answer.ok && "auto" in form.dataset) form.reset(); // it shows what holds
    const refused = table.querySelector(".refused");
    if (refused) refused.textContent = answer.error ?? "";
  });

  // Who types a name to sit down is waited for a little.
  let typed = 0;
  table.addEventListener("input", () => {
    const form = document.getElementById("typing");
    if (!form || Date.now() - typed < TYPING) return;
    typed = Date.now();
    form.requestSubmit();
  });

  enhance();
  const resumed = kept.resume();
  if (resumed) {
    press = { question: asked(table) };
    resumed.then(({ error = "" }) => {
      idle();
      refusal = error;
      refuse();
    });
  }
}
