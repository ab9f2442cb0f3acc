import { type Html, type HtmlValue, html } from '../../http/html.ts';

/** A column of a table. `grow` and `text` truncate, `wide` is hidden on narrow screens, `spare` and `brief` beside a pane. */
export interface Column<Item> {
  readonly words: string;
  readonly look?: string;
  readonly cell: (item: Item) => HtmlValue;
  /** True for the column that names the row. */
  readonly isHead?: boolean;
}

interface Rows<Item> {
  readonly columns: readonly Column<Item>[];
  /** The selected item. */
  readonly isCurrent?: (item: Item) => boolean;
  /** Id of the row in the page, for a list to which the script adds rows. */
  readonly rowId?: (item: Item) => string;
}

interface Table<Item> extends Rows<Item> {
  readonly caption: string;
  readonly items: readonly Item[];
}

export function table<Item>({ caption, items, ...rows }: Table<Item>): Html {
  return html`<div class="table-wrap"><table class="table"><caption class="sr">${caption}</caption>
<thead><tr>${rows.columns.map((column) => html`<th scope="col"${look(headLook(column.look))}>${column.words}</th>`)}</tr></thead><tbody>
${items.map((item) => tableRow(item, rows))}</tbody></table></div>`;
}

/** One row of a table. */
export function tableRow<Item>(item: Item, { columns, isCurrent = () => false, rowId }: Rows<Item>): Html {
  return html`<tr${rowId && html` id="${rowId(item)}"`}${isCurrent(item) && html` aria-current="true"`}>${columns.map(
    ({ cell, look: classes, isHead }) =>
      isHead ? html`<th scope="row"${look(classes)}>${cell(item)}</th>` : html`<td${look(classes)}>${cell(item)}</td>`,
  )}</tr>
`;
}

function look(classes: string | undefined): HtmlValue {
  return classes !== undefined && html` class="${classes}"`;
}

/** A header has the layout of its column, not the colour and font of the cells. */
function headLook(classes: string | undefined): string | undefined {
  const kept = classes?.split(' ').filter((name) => ['wide', 'spare', 'brief', 'num'].includes(name)) ?? [];
  return kept.length === 0 ? undefined : kept.join(' ');
}
