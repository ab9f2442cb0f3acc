/** Returns the most similar word, in upper or lower case; undefined if none is similar enough. */
export function closestWord<W extends string>(given: string, words: readonly W[]): W | undefined {
  const wanted = given.toLowerCase();
  const [closest] = words
    // Cheap for a long text: one that is much longer or shorter than a word is not compared.
    .filter((word) => Math.abs(word.length - wanted.length) <= word.length / 2)
    .map((word) => [word, distance(wanted, word.toLowerCase())] as const)
    .filter(([word, edits]) => edits <= word.length / 2)
    .sort(([, a], [, b]) => a - b);
  return closest?.[0];
}

/** Returns the sentence that follows the refusal of a word: `. Did you mean status?`; empty if no word is similar. */
export function didYouMean(given: string, words: readonly string[]): string {
  const meant = closestWord(given, words);
  return meant === undefined ? '' : `. Did you mean ${meant}?`;
}

/** Returns the Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
  }
  return row[b.length] ?? 0;
}
