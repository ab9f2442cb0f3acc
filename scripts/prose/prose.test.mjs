import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { glossaryFile, rejectedWordings } from './glossary.mjs';
import { judgeWith } from './judge.mjs';
import { documentPassages, sourcePassages } from './passages.mjs';

const rejected = rejectedWordings(readFileSync(glossaryFile, 'utf8'));
const judge = judgeWith(rejected);
const LONG = `The server ${'reads and writes '.repeat(10)}rows.`;

/** The line and the beginning of each fault. */
const faultsOf = (passages) =>
  passages.flatMap((passage) => judge(passage).map((fault) => `${passage.line} ${fault.slice(0, 12)}`));
const inSource = (source) => faultsOf(sourcePassages('file.ts', source));
const inDocument = (markdown) => faultsOf(documentPassages(markdown));

describe('the prose check', () => {
  it('reads the rejected wordings from the glossary, each with the term to write', () => {
    expect(rejected.length).toBeGreaterThan(30);
    expect(rejected).toContainEqual({ wording: 'hungry', use: 'queues to refill, refilled' });
  });

  it('rejects a wording in comments, messages, test titles, names and documents', () => {
    expect(inSource('// Whose turn it is, whoever waits.')).toEqual(['1 “whoever” → ']);
    expect(inSource('/**\n * Closes it.\n *\n * Then whoever\n * waits goes.\n */')).toEqual(['4 “whoever” → ']);
    expect(inSource("throw new Error('tell whoever asked');")).toEqual(['1 “whoever” → ']);
    expect(inSource('log(`tell $' + '{a} whoever asked`);')).toEqual(['1 “whoever” → ']);
    expect(inSource('const hungryQueues = 1;')).toEqual(['1 “hungry” → q']);
    expect(inSource('import { keepNowhere } from "./a.ts";')).not.toEqual([]);
    expect(inDocument('# Title\n\nIt serves\nwhoever calls.')).toEqual(['3 “whoever” → ']);
    expect(inDocument('| a | whoever |')).toEqual(['1 “whoever” → ']);
  });

  it('rejects comments that open with What or Whether', () => {
    expect(inSource('/** What it does. */')).toEqual(['1 opens with “']);
    expect(inSource('/** Whether it is there. */')).toEqual(['1 opens with “']);
    expect(inSource('/**\n * Reads.\n * @param a What to read.\n */')).toEqual([]);
  });

  it('rejects sentences of more than 30 words', () => {
    expect(inSource(`// ${LONG}`)).toEqual(['1 sentence of ']);
    expect(inDocument(`- ${LONG}`)).toEqual(['1 sentence of ']);
    expect(inDocument(`- It reads. ${'It writes. '.repeat(20)}`)).toEqual([]);
  });

  it('does not judge code: examples, inline code, addresses, shebangs, front matter', () => {
    expect(inSource('#!/usr/bin/env node whoever')).toEqual([]);
    expect(inSource('/**\n * Reads.\n * @example\n * whoever()\n */')).toEqual([]);
    expect(inSource('/** Reads `whoever`. */')).toEqual([]);
    expect(inDocument('```\nwhoever\n```\n\nhttps://example.com/whoever `whoever`')).toEqual([]);
    expect(inDocument('---\nwhoever: patch\n---\n\nA change.')).toEqual([]);
    expect(inDocument('---\na: patch\n---\n\nA change for whoever asks.')).toHaveLength(1);
  });
});
