import { type Html, type HtmlValue, html } from '../../http/html.ts';

/** A column of a table. `grow` truncates, `wide` is hidden on narrow screens, `spare` and `brief` beside a pane. */
export interface Column<Item> {
  readonly words: string;
  readonly look?: string;
  readonly cell: (item: Item) => HtmlValue;
  /** True for the column that names the row. */
  readonly isHead?: boolean;
}

interface Table<Item> {
  readonly caption: string;
  readonly columns: readonly Column<Item>[];
  readonly items: readonly Item[];
  /** The selected item. */
  readonly isCurrent?: (item: Item) => boolean;
}

export function table<Item>({ caption, columns, items, isCurrent = () => false }: Table<Item>): Html {
  const look = (classes: string | undefined) => classes !== undefined && html` class="${classes}"`;
  return html`<div class="table-wrap"><table class="table"><caption class="sr">${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col"${look(headLook(column.look))}>${column.words}</th>`)}</tr></thead><tbody>
${items.map(
  (item) => html`<tr${isCurrent(item) && html` aria-current="true"`}>${columns.map(({ cell, look: classes, isHead }) =>
    isHead ? html`<th scope="row"${look(classes)}>${cell(item)}</th>` : html`<td${look(classes)}>${cell(item)}</td>`,
  )}</tr>
`,
)}</tbody></table></div>`;
}

/** A header has the layout of its column, not the colour and font of the cells. */
function headLook(classes: string | undefined): string | undefined {
  const kept = classes?.split(' ').filter((name) => ['wide', 'spare', 'brief', 'num'].includes(name)) ?? [];
  return kept.length === 0 ? undefined : kept.join(' ');
}
