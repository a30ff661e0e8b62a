// The line to the table: one WebSocket, and whether it is alive. A socket that is silent is thrown away, not waited for:
// where a network swallows everything, it would not say that it is closed for minutes.
const PING = 10000; // ms without a word until the server is asked for one, while somebody looks
const ANSWER = 5000; // ms in which anything has to come from it then
const PROOF = 1500; // the same for a page that has been out of sight, as a phone in a pocket is
const BREAK = 1200; // ms until a closed line is told: most breaks are shorter than a look at the screen
const FIRST = 500; // ms until a line is opened anew; twice as long each time
const LAST = 8000;
const RESTARTS = 1012; // the code with which a server that stops closes a line; its reason is when to come back, in s

// `hello()` is the first message of each socket, `hear(message)` gets all that is no answer, `tell(lost)` whether the
// line is gone. Returns `ask(id, message)`: the answer to it, however many sockets it takes.
export function open(address, { hello, hear, tell }) {
  const utf8 = new TextDecoder();
  const waiting = new Map(); // id -> the message that waits for its answer, and what to do with that
  let socket = null,
    wait = FIRST,
    retry = 0, // timers
    next = 0,
    dead = 0,
    told = 0,
    lost = false;

  function connect() {
    clearTimeout(retry);
    leave();
    const mine = (socket = new WebSocket(address));
    mine.binaryType = "arraybuffer";
    expect(ANSWER);
    mine.onopen = () => {
      if (mine !== socket) return;
      alive();
      // What was not answered is sent again under its number, so that it is never done twice.
      for (const message of [hello(), ...[...waiting.values()].map((one) => one.message)]) send(message);
      say(false);
    };
    mine.onmessage = ({ data }) => {
      if (mine !== socket) return;
      alive();
      wait = FIRST;
      const message = JSON.parse(utf8.decode(data));
      if (!("id" in message || "pong" in message)) return hear(message);
      if (message.update) hear(message.update);
      waiting.get(message.id)?.done(message);
      waiting.delete(message.id);
    };
    mine.onclose = ({ code, reason }) => {
      if (mine !== socket) return;
      tellSoon();
      again(code === RESTARTS && Number(reason) * 1000);
    };
  }

  const send = (message) => socket.send(JSON.stringify(message));
  const isOpen = () => socket?.readyState === WebSocket.OPEN;

  // Whatever comes is a sign of life.
  function alive() {
    clearTimeout(dead);
    clearTimeout(next);
    dead = 0;
    next = setTimeout(check, PING);
  }

  function check() {
    if (document.hidden || !isOpen()) return;
    send({ ping: 1 });
    expect(ANSWER);
  }

  function expect(time, otherwise = fail) {
    clearTimeout(dead);
    dead = setTimeout(otherwise, time);
  }

  function fail() {
    say(true);
    again();
  }

  // The old socket is heard no more, even if it comes to life again.
  function leave() {
    clearTimeout(dead);
    clearTimeout(next);
    const old = socket;
    socket = null;
    old?.close();
  }

  // After as many ms as the server has asked for: not all pages are to come back at once. Else after ever more.
  function again(asked) {
    leave();
    clearTimeout(retry);
    retry = setTimeout(connect, asked || wait * (0.75 + Math.random() / 2));
    if (!asked) wait = Math.min(wait * 2, LAST);
  }

  function tellSoon() {
    told ||= setTimeout(() => say(true), BREAK);
  }

  function say(gone) {
    clearTimeout(told);
    told = 0;
    if (gone === lost) return;
    lost = gone;
    tell(gone);
  }

  function anew() {
    wait = FIRST;
    connect();
  }

  addEventListener("offline", fail);
  addEventListener("online", anew);
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) anew(); // its socket was closed while the page was put away
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    if (!isOpen()) return anew();
    check();
    expect(PROOF, () => {
      tellSoon();
      anew();
    });
  });
  connect();

  return (id, message) =>
    new Promise((done) => {
      waiting.set(id, { message, done });
      if (!socket) connect(); // somebody has pressed something: they do not wait until the line comes back by itself
      if (!isOpen()) return;
      send(message);
      if (!dead) check();
    });
}
