// node server.cjs PORT
const { Server } = require("boardgame.io/server");
const { Hic } = require("./game.cjs");

Server({ games: [Hic], origins: [/./] }).run(Number(process.argv[2]));
