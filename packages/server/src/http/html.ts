import { printableText, unsafeCharacter } from '@plat/contract';

/** Markup that may go into a page as it is. Only {@link html} makes it, so that nothing unescaped passes for it. */
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

/** What stands in a template: text is escaped, lists are joined, and null, undefined and false are nothing. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/**
 * A piece of a page: html`<td title="${name}">${name}</td>`. Values are escaped for text and for quoted attributes,
 * and for nowhere else: none goes into a script, a style, or an attribute without quotes, and a link's address is
 * checked by whoever puts it there.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings, values);
}

/** Text from outside that stands in a line with other words: none of its letters changes their order. */
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

/** What a form sends back has to stay as it is, so characters that are escaped in text are references here. */
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
