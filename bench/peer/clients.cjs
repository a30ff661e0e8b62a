// node clients.cjs PORT SERVER_PID TABLES WARM SECONDS: three clients a table play as those of bench/web.py do; one JSON
// line, of what they did in so many seconds, after so many to warm up.
const { readFileSync } = require("node:fs");
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { Hic } = require("./game.cjs");

const [port, pid, tables, warm, seconds] = process.argv.slice(2).map(Number);
const rest = (ms) => new Promise((go) => setTimeout(go, ms));
let waits = [];

function cpu() {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function sit(matchID, playerID) {
  const multiplayer = SocketIO({ server: `http://127.0.0.1:${port}` });
  const client = Client({ game: Hic, numPlayers: 3, matchID, playerID, multiplayer, debug: false });
  let answered = -1, began = 0, again = null;
  client.subscribe((state) => {
    if (!state?.isConnected || state._stateID <= answered) return;
    if (began) waits.push(performance.now() - began);
    began = 0;
    clearInterval(again);
    const { G } = state, mine = Number(playerID) === G.seat;
    if (G.pending ? mine || G.fine.includes(playerID) : !mine) return;
    answered = state._stateID;
    began = performance.now();
    const act = () => {
      const { hand } = G.players[playerID];
      if (G.pending) client.moves.accept();
      else if (hand.length < 4 || Math.random() < 0.3) client.moves.draw();
      else client.moves.play(hand[Math.floor(Math.random() * hand.length)], Math.floor(Math.random() * 30));
    };
    setImmediate(act);
    again = setInterval(act, 500); // with stored games, the second of two moves at once is dropped without a word
  });
  client.start();
}

(async () => {
  for (let table = 0; table < tables; table++) for (const seat of ["0", "1", "2"]) sit(`table${table}`, seat);
  await rest(warm * 1000);
  waits = [];
  const used = cpu(), at = performance.now();
  await rest(seconds * 1000);
  const moves = waits.length, sorted = waits.sort((a, b) => a - b);
  console.log(JSON.stringify({
    moves, cpu: cpu() - used, seconds: (performance.now() - at) / 1000,
    median: sorted[moves >> 1], p99: sorted[Math.floor(moves * 0.99)],
  }));
  process.exit(0);
})();
