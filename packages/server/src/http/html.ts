/** Markup that may go into a page as it is. Only {@link html} makes it, so that nothing unescaped passes for it. */
export class Html {
  readonly #markup: string;

  constructor(strings: readonly string[], values: readonly HtmlValue[]) {
    this.#markup = strings.map((part, i) => (i === 0 ? part : render(values[i - 1]) + part)).join('');
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

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(render).join('');
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
