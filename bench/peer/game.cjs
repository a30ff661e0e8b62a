// hic – haec – hoc as boardgame.io would have it: hands hidden from others, a play waits for everybody's "fine".
// Easier than ours: nothing is checked but whose turn it is and that the card is held, no page drawn.
const { INVALID_MOVE, ActivePlayers, PlayerView } = require("boardgame.io/core");

const DECK = Array.from({ length: 90 }, (_, n) => n % 30);

exports.Hic = {
  name: "hic",
  setup: ({ ctx, random }) => {
    const pile = random.Shuffle(DECK);
    const players = {};
    for (let seat = 0; seat < ctx.numPlayers; seat++) players[seat] = { hand: pile.splice(0, 7) };
    return { secret: { pile }, players, under: [], top: pile.pop(), said: null, seat: 0, pending: null, fine: [], told: null };
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: { activePlayers: ActivePlayers.ALL },
  moves: {
    play: {
      client: false,
      move: ({ G, playerID }, form, reading) => {
        const { hand } = G.players[playerID], place = hand.indexOf(form);
        if (G.pending || Number(playerID) !== G.seat || place < 0 || !(reading >= 0 && reading < 30)) return INVALID_MOVE;
        hand.splice(place, 1);
        Object.assign(G, { pending: { form, reading }, fine: [], told: { played: playerID, form, reading } });
      },
    },
    accept: {
      client: false,
      move: ({ G, ctx, playerID }) => {
        if (!G.pending || Number(playerID) === G.seat || G.fine.includes(playerID)) return INVALID_MOVE;
        G.fine.push(playerID);
        G.told = { accepted: playerID };
        if (G.fine.length < ctx.numPlayers - 1) return;
        G.under.push(G.top);
        Object.assign(G, { top: G.pending.form, said: G.pending.reading, pending: null, seat: (G.seat + 1) % ctx.numPlayers });
      },
    },
    draw: {
      client: false,
      move: ({ G, ctx, playerID, random }) => {
        if (G.pending || Number(playerID) !== G.seat) return INVALID_MOVE;
        if (!G.secret.pile.length) Object.assign(G, { under: [], secret: { pile: random.Shuffle(G.under) } });
        if (G.secret.pile.length) G.players[playerID].hand.push(G.secret.pile.pop());
        Object.assign(G, { told: { drew: playerID }, seat: (G.seat + 1) % ctx.numPlayers });
      },
    },
  },
};
