/** Longest sentence in words. language.md asks for about 20; this bound leaves room for lists. */
const MAX_WORDS = 30;

/**
 * Returns a function that names the faults of a passage.
 * @param {{ wording: string, use: string }[]} rejected from the glossary
 * @returns {(passage: import('./passages.mjs').Passage) => string[]}
 */
export function judgeWith(rejected) {
  const wordings = rejected.map(({ wording, use }) => ({
    wording,
    use,
    pattern: new RegExp(`(?<![\\w-])${wording.split(/\s+/).map(escapeRegExp).join('\\s+')}(?![\\w-])`, 'i'),
  }));
  return ({ kind, text }) => [
    ...wordings.filter(({ pattern }) => pattern.test(text)).map(({ wording, use }) => `“${wording}” → ${use}`),
    ...(kind === 'comment' && /^(What|Whether|Whoever)\b/.test(text)
      ? [`opens with “${text.split(' ')[0]}”: start with a verb or with the noun it names`]
      : []),
    ...(kind === 'comment' || kind === 'document' ? longSentences(text) : []),
  ];
}

function longSentences(text) {
  return text
    .split(/(?<=[.!?])\s+(?=["“(\p{Lu}\d])/u)
    .map((sentence) => ({ sentence, words: sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length }))
    .filter(({ words }) => words > MAX_WORDS)
    .map(({ sentence, words }) => `sentence of ${words} words (at most ${MAX_WORDS}): “${sentence.slice(0, 60)}…”`);
}

const escapeRegExp = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
