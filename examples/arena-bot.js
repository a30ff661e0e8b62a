// A player for the arena, in JavaScript: `spieltisch arena trailblaze novice "lines:node examples/arena-bot.js"`.
// It reads a message a line, and answers each question with the number of one of the legal actions, by chance.

let chance = 1;

function below(n) {
  chance = (Math.imul(chance, 1664525) + 1013904223) >>> 0; // the same seed gives the same game
  return Math.floor((chance / 4294967296) * n);
}

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    if (message.type === "game") chance = message.seed;
    if (message.type === "act") console.log(below(message.legal.length));
  });
