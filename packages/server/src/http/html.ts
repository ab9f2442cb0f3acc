import { printableText, unsafeCharacter } from '@plat/contract';

/**
 * Markup that a page may contain unescaped. Only {@link html} creates it, so that no unescaped text counts as markup.
 */
export class Html {
  readonly #markup: string;

  constructor(strings: readonly string[], values: readonly HtmlValue[]) {
    this.#markup = strings
      .map((part, i) => (i === 0 ? part : render(values[i - 1], strings[i - 1]?.endsWith('="') ?? false) + part))
      .join('');
  }

  toString(): string {
    return this.#markup;
  }
}

/** Value in a template. Text is escaped, lists are joined; null, undefined and false are empty. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/**
 * Builds a piece of a page: html`<td title="${name}">${name}</td>`. Values are escaped for text and for quoted
 * attributes only: never put one into a script, a style or an unquoted attribute. The caller must check the address of
 * a link.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings, values);
}

/** Returns user-supplied text isolated in its line: its characters cannot change the order of the words around it. */
export function isolated(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function render(value: HtmlValue, isAttribute: boolean): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map((item) => render(item, isAttribute)).join('');
  return isAttribute ? attributeText(String(value)) : escaped(printableText(String(value)));
}

/**
 * Escapes the value of an attribute. A form must send the value back unchanged, so characters that are removed from
 * text are character references here.
 */
function attributeText(value: string): string {
  if (unsafeCharacter(value, { lines: true }) === null) return escaped(value);
  return [...value]
    .map((character) => {
      const isUnsafe = unsafeCharacter(character, { lines: true }) !== null;
      return isUnsafe ? `&#x${character.codePointAt(0)?.toString(16)};` : escaped(character);
    })
    .join('');
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
