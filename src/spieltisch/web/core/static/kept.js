// Moves of a game that goes on while its line is gone. They are kept in order, also over a reload, and sent one by one:
// one that is refused ends all that were to follow, for they were meant for another table. See decision 0064.
const place = `kept ${location.pathname}`;

// What scripts have styled they style anew; the policy of the page forbids to write it down.
function written(copy) {
  for (const one of copy.querySelectorAll("[style]")) one.removeAttribute("style");
  return copy.innerHTML;
}

// `post` sends a move and returns its answer, `show(html)` shows the table as the server drew it last.
export function keeping(table, { post, show }) {
  let moves = [], // the first of them is on its way
    sending = null,
    before = ""; // the table before the moves of which the server has not heard, while the page shows it after them

  function save() {
    if (moves.length) sessionStorage[place] = JSON.stringify(moves);
    else sessionStorage.removeItem(place);
  }

  async function sendAll() {
    const several = moves.length > 1;
    let answer;
    do {
      answer = await post("move", moves[0]);
      moves = answer.ok ? moves.slice(1) : [];
      save();
    } while (moves.length);
    if (!answer.ok && (several || before)) answer.error = table.dataset.unmade.replace("{why}", answer.error);
    if (before) {
      const html = before;
      before = "";
      delete table.dataset.ahead;
      show(html, answer.error);
    }
    return answer;
  }

  return {
    isAhead: () => before !== "",
    words: () =>
      before
        ? table.dataset.later.replace("{n}", moves.length)
        : (table.querySelector("[data-goes-on]")?.dataset.goesOn ?? table.dataset.kept),

    // Returns the answer to the last of the moves that are kept.
    send(fields) {
      moves.push(fields);
      save();
      if (moves.length === 1) sending = sendAll();
      return sending;
    },

    // Send what a page of before has kept.
    resume() {
      moves = JSON.parse(sessionStorage[place] ?? "[]");
      return moves.length ? sendAll() : null;
    },

    // The table after a move, as a copy in which the game has made it: its next question, and nothing that needs the server.
    ahead(copy) {
      before ||= written(table.cloneNode(true));
      table.dataset.ahead = "";
      for (const one of copy.querySelectorAll("[data-to=undo], [data-to=hint], .told, #hinted, #noted")) one.remove();
      copy.querySelector(".refused").textContent = "";
      const question = copy.querySelector("#move [name=question]");
      question.setAttribute("value", Number(question.value) + 1);
      return written(copy);
    },
  };
}
