import { parseSync } from 'oxc-parser';

/**
 * A piece of text to be judged.
 * @typedef {object} Passage
 * @property {'comment' | 'string' | 'name' | 'document'} kind
 * @property {number} line where it begins, from 1
 * @property {string} text without comment signs and markup; line breaks and code are replaced
 */

/**
 * Returns the comments, texts and names of a source file.
 * @param {string} path
 * @param {string} source
 * @returns {Passage[]}
 */
export function sourcePassages(path, source) {
  const { comments, errors, program } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const lineOf = lineFinder(source);
  return [
    ...commentPassages(comments, source, lineOf),
    ...[...nodePassages(program)].map(({ start, ...passage }) => ({ ...passage, line: lineOf(start) })),
  ];
}

/**
 * Returns the paragraphs, list items, headings and table cells of a Markdown document, without its code.
 * @param {string} markdown
 * @returns {Passage[]}
 */
export function documentPassages(markdown) {
  const passages = [];
  let inCode = false;
  let inFrontMatter = false;
  let open;
  for (const [index, line] of markdown.split('\n').entries()) {
    const isFence = /^\s*```/.test(line);
    const isRule = line.trim() === '---';
    if (isFence) inCode = !inCode;
    if (isRule) inFrontMatter = index === 0;
    if (isFence || isRule || inCode || inFrontMatter || line.trim() === '') {
      open = undefined;
    } else if (line.trimStart().startsWith('|')) {
      open = undefined;
      passages.push(...line.split(/(?<!\\)\|/).map((text) => ({ kind: 'document', line: index + 1, text })));
    } else if (open === undefined || /^\s*([-*#>]|\d+\.)\s/.test(line)) {
      open = { kind: 'document', line: index + 1, text: line };
      passages.push(open);
    } else open.text += ` ${line}`;
  }
  return passages
    .map((passage) => ({ ...passage, text: plain(passage.text) }))
    .filter(({ text }) => /\p{L}/u.test(text));
}

/** Joins line comments that follow each other; splits block comments at tags, list items and empty lines. */
function commentPassages(comments, source, lineOf) {
  const passages = [];
  let previousEnd = -1;
  for (const { type, value, start, end } of comments) {
    if (source.startsWith('#!', start)) continue;
    const line = lineOf(start);
    const follows = type === 'Line' && passages.length > 0 && /^\n[ \t]*$/.test(source.slice(previousEnd, start));
    if (follows) passages.at(-1).text += ` ${value}`;
    else if (type === 'Line') passages.push({ kind: 'comment', line, text: value });
    else passages.push(...blockPassages(value, line));
    previousEnd = type === 'Line' ? end : -1;
  }
  return passages
    .map((passage) => ({ ...passage, text: plain(passage.text) }))
    .filter(({ text }) => /\p{L}/u.test(text));
}

function blockPassages(value, firstLine) {
  const passages = [];
  let inCode = false;
  let open;
  for (const [index, raw] of value.split('\n').entries()) {
    const line = raw.replace(/^\s*\* ?/, '');
    if (line.trimStart().startsWith('```')) inCode = !inCode;
    const example = /^\s*@example/.test(line) || (open?.example === true && !/^\s*@/.test(line));
    if (inCode || line.trim() === '' || line.trimStart().startsWith('```')) open = undefined;
    else if (open === undefined || /^\s*(@|[-*]\s|\d+\.\s)/.test(line)) {
      open = { kind: 'comment', line: firstLine + index, text: line.replace(/^\s*@\w+(\s*\{.*?\})?/, ''), example };
      passages.push(open);
    } else open.text += ` ${line}`;
  }
  return passages.filter((passage) => !passage.example).map(({ example: _, ...passage }) => passage);
}

/** Strings that hold more than one word, and the names that a file declares. */
function* nodePassages(node) {
  if (Array.isArray(node)) {
    for (const child of node) yield* nodePassages(child);
  } else if (node !== null && typeof node === 'object' && typeof node.type === 'string') {
    if (node.type === 'Literal' && typeof node.value === 'string' && /\S\s+\S/.test(node.value)) {
      yield { kind: 'string', start: node.start, text: plain(node.value) };
    }
    if (node.type === 'TemplateElement' && /\p{L}/u.test(node.value.raw)) {
      yield { kind: 'string', start: node.start, text: plain(node.value.raw) };
    }
    if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') {
      yield { kind: 'name', start: node.start, text: wordsOf(node.name) };
    }
    for (const [key, child] of Object.entries(node)) if (key !== 'parent') yield* nodePassages(child);
  }
}

/** Splits an identifier or a file name into its words: `keepNowhere` and `keep-nowhere` give `keep nowhere`. */
export function wordsOf(name) {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Replaces inline code, addresses and markup by one word each, so that a sentence has the words that people read. */
function plain(text) {
  return text
    .replace(/\{@link\s+([^}|\s]+)[^}]*\}/g, 'CODE')
    .replace(/`[^`]*`/g, 'CODE')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>/g, ' ')
    .replace(/https?:\/\/\S+/g, 'ADDRESS')
    .replace(/[*_#>]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function lineFinder(source) {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
