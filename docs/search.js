/* How the site's search ranks pages. Sphinx puts this file beside its own script: `html_search_scorer` in conf.py.

Sphinx shows only pages that have every word, and counts the best word alone. Somebody who asks in a sentence uses words
that no page has. So here each word counts, rare words count more, and a page needs half of the words. */
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 1,
  objPrio: { 0: 4, 1: 2, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 4,
  term: 5,
  partialTerm: 2,
  // Pages for tasks come before the reference, the decisions and the lists of changes.
  score: ([page, , , , score]) => (/^(api|decisions)\/|^(changelog|errata|index)$/.test(page) ? score / 2 : score),
};

Search.performTermsSearch = ((withWord) => (words, excluded) => {
  const found = new Map();
  for (const word of words) {
    const results = withWord(new Set([word]), excluded);
    const rarity = Math.log(1 + Search._index.docnames.length / results.length);
    for (const result of results) {
      const had = found.get(result[0]) ?? { result, words: 0, score: 0 };
      found.set(result[0], { result, words: had.words + 1, score: had.score + result[4] * rarity });
    }
  }
  const most = Math.max(...[...found.values()].map((one) => one.words));
  return [...found.values()]
    .filter((one) => one.words >= most / 2)
    .map(({ result, score }) => [...result.slice(0, 4), Math.round(10 * score) / 10, ...result.slice(5)]);
})(Search.performTermsSearch);
