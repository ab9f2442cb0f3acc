import markdownIt, { type Token } from 'markdown-it';
import { type Html, html } from '../../http/html.ts';
import { codeFigure, trusted, uniqueAnchors } from './markup.ts';
import type { Heading, SitePage } from './page.ts';
import { createSections } from './sections.ts';

const parser = markdownIt();

/** Returns the address of a link's target, relative to the page. */
export type LinkOf = (target: string) => string;

type Rendered = Pick<SitePage, 'title' | 'body' | 'headings' | 'sections'>;

/** Renders a Markdown file of the repository. Its first heading is the title of the page. */
export function renderMarkdown(text: string, linkOf: LinkOf): Rendered {
  const tokens = parser.parse(text.replaceAll(/<!--.*?-->\n?/gs, ''), {});
  const anchorOf = uniqueAnchors();
  const headings: Heading[] = [];
  const sections = createSections();
  const labels = createTableLabels();
  const rows = new Set<string>();
  tokens.forEach((token, i) => {
    const inline = tokens[i + 1];
    labels.add(token, inline);
    if (token.type === 'heading_open' && inline) {
      const words = plainText(inline);
      const anchor = anchorOf(words);
      token.attrSet('id', anchor);
      headings.push({ level: Number(token.tag.slice(1)), anchor, text: words });
      sections.open(headings.length === 1 ? null : anchor, words);
    } else if (token.type === 'inline') {
      for (const child of token.children ?? []) rewrite(child, linkOf);
      const row = rowName(tokens, i);
      if (row !== null && !rows.has(row)) {
        rows.add(row);
        tokens[i - 1]?.attrSet('id', row);
        sections.openRow(row);
      }
      // The heading itself is the title of the section.
      if (tokens[i - 1]?.type !== 'heading_open') sections.add(plainText(token));
    } else if (token.type === 'tr_close') sections.closeRow();
    else if (token.type === 'fence' || token.type === 'code_block') sections.add(token.content);
  });
  const [title, ...others] = headings;
  const start = tokens.findIndex(({ type }) => type === 'heading_close') + 1;
  const body = parser.renderer.render(tokens.slice(start), parser.options, {});
  return { title: title?.text ?? '', body: trusted(body), headings: others, sections: sections.all() };
}

parser.renderer.rules['fence'] = (tokens, i) => {
  const token = tokens[i];
  return token ? codeFigure(token.info.split(/\s/, 1)[0] ?? '', token.content.trimEnd()).toString() : '';
};
parser.renderer.rules['code_block'] = (tokens, i) => codeFigure('', (tokens[i]?.content ?? '').trimEnd()).toString();
parser.renderer.rules['table_open'] = () => '<table class="doc-table" role="table">\n';
parser.renderer.rules['heading_close'] = (tokens, i) => {
  const open = tokens[i - 2];
  const words = tokens[i - 1];
  const anchor = open?.attrGet('id');
  if (!anchor || !words) return `</${tokens[i]?.tag}>\n`;
  return html`<a class="anchor" href="#${anchor}"><span class="sr">Link to ${plainText(words)}</span><span aria-hidden="true">#</span></a></${trusted(tokens[i]?.tag ?? '')}>
`.toString();
};

const ROLES: Readonly<Record<string, string>> = {
  ...{ thead_open: 'rowgroup', tbody_open: 'rowgroup', tr_open: 'row', th_open: 'columnheader', td_open: 'cell' },
};

/** Gives the parts of tables their roles, and each cell the label of its column, as `dataTable` does. */
function createTableLabels() {
  let head: string[] = [];
  let column = 0;
  return {
    add(token: Token, inline: Token | undefined) {
      const role = ROLES[token.type];
      if (role === undefined) return;
      // The style that the parser sets would be inline code.
      const isNumber = token.attrGet('style') === 'text-align:right';
      token.attrs = [['role', role], ...(token.attrs ?? []).filter(([name]) => name !== 'style')];
      if (isNumber) token.attrSet('class', 'num');
      if (token.type === 'thead_open') head = [];
      if (token.type === 'tr_open') column = 0;
      if (token.type === 'th_open' && inline) {
        // Markdown leaves headers of obvious columns empty; a screen reader needs a name.
        if (inline.children?.length === 0)
          inline.children = parser.parseInline(head.length === 0 ? 'Name' : 'Description', {})[0]?.children ?? [];
        head.push(plainText(inline));
      }
      if (token.type === 'td_open') token.attrSet('data-label', head[column++] ?? '');
    },
  };
}

function rewrite(token: Token, linkOf: LinkOf): void {
  const attribute = token.type === 'image' ? 'src' : 'href';
  const target = token.attrGet(attribute);
  if (target && (token.type === 'link_open' || token.type === 'image'))
    token.attrSet(attribute, linkOf(String(target)));
}

/** Returns the name in the first cell of a body row, such as `SLUG_IN_USE`; null for other tokens. */
function rowName(tokens: readonly Token[], i: number): string | null {
  const [row, cell, inline] = [tokens[i - 2], tokens[i - 1], tokens[i]];
  if (row?.type !== 'tr_open' || cell?.type !== 'td_open') return null;
  const [code, ...rest] = inline?.children ?? [];
  const isName = code?.type === 'code_inline' && rest.length === 0 && /^[A-Z][A-Z0-9_]+$/.test(code.content);
  return isName ? code.content : null;
}

/** Returns the text of inline content without its markup. */
function plainText({ children }: Token): string {
  return (children ?? [])
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : type === 'image' ? '' : content))
    .join('');
}

/** Renders a text of the contract in one line. */
export function inlineMarkdown(text: string, linkOf: LinkOf): Html {
  const tokens = parser.parseInline(text, {});
  for (const { children } of tokens) for (const child of children ?? []) rewrite(child, linkOf);
  return trusted(parser.renderer.render(tokens, parser.options, {}));
}

/** Renders a description of several paragraphs. */
export function blockMarkdown(text: string): Html {
  return trusted(parser.render(text));
}

/** Returns the words of a description without its markup. */
export function plainMarkdown(text: string): string {
  const inline = parser.parse(text, {}).filter(({ type }) => type === 'inline');
  return inline.map(plainText).join(' ');
}
