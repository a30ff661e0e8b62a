// node server.cjs PORT [FOLDER]: with a folder, games are stored in it, else they are in memory alone.
const { Server, FlatFile } = require("boardgame.io/server");
const { Hic } = require("./game.cjs");

const [port, folder] = process.argv.slice(2);
Server({ games: [Hic], origins: [/./], db: folder && new FlatFile({ dir: folder }) }).run(Number(port));
