import type { ListParams } from '@plat/contract';
import { type JsonSchema, SCHEMAS } from '@plat/contract/schemas';
import { type Html, type HtmlValue, html, isolated } from '../http/html.ts';
import type { Page } from '../http/route.ts';
import { mayEnter } from './access.ts';
import { type ApiObject, answerOf, commandsOf, filledPath, idsOf, platOf, queryOf, readPage } from './api-operation.ts';
import type { Collection, Related } from './data-collections.ts';
import { hrefOfId } from './data-links.ts';
import { nameOf, navOf, readName, rowIdOf, trailOf } from './data-names.ts';
import type { SignedInPage } from './layout.ts';
import { type References, readReferences } from './named-object.ts';
import type { PageCall } from './page-route.ts';
import { emptyState } from './parts/empty.ts';
import { labelOf } from './parts/label.ts';
import {
  apiQuery,
  type Filter,
  filterBar,
  isFiltered,
  listParams,
  PAGE,
  pager,
  platOptions,
  type Query,
  usesFilters,
} from './parts/list.ts';
import { contains, cursorsOf, scan } from './parts/scan.ts';
import { fieldsOf } from './parts/schema-form.ts';
import { shownValue } from './parts/schema-value.ts';
import { type Column, table } from './parts/table.ts';
import { tabs } from './parts/tabs.ts';
import { doneNotice } from './texts.ts';

const SEARCH = 'search';

/** The rows of a collection, with the query that they answer. */
export interface Listed {
  readonly collection: Collection;
  readonly list: Page<ApiObject>;
  readonly filters: readonly Filter[];
  /** Id → name of the objects that the rows stand for. */
  readonly names: ReadonlyMap<string, string>;
  readonly rowAction?: Related['rowAction'];
  /** Names of the objects in columns of ids. */
  readonly references?: References;
}

/** Reads a page of a collection by the filters in the address, and by those of the page that it is on. */
export async function readCollection(
  call: PageCall,
  collection: Collection,
  fixed: Readonly<Record<string, string>> = {},
): Promise<Listed> {
  const { query, ids } = call;
  const schema = queryOf(collection.list);
  const filters = filtersOf(collection, fixed);
  const given = filters.filter(({ name }) => name !== SEARCH);
  const params = listParams<Query>(schema, call, given, fixed);
  const sought = query[SEARCH]?.trim();
  const read = async (page: ListParams): Promise<Page<ApiObject>> =>
    collection.read
      ? ((await collection.read(call, page)) as Page<ApiObject>)
      : readPage(call, collection.list, ids, page);
  if (!sought) {
    const list = await read({ ...params, limit: PAGE });
    const [names, references] = await Promise.all([
      namesOf(call, collection, list.data),
      collection.columns.some((name) => name.endsWith('_id')) ? readReferences(call, list.data) : new Map(),
    ]);
    return { collection, filters, list, names, references };
  }
  const matches = contains(sought);
  const { starting_after: _after, ending_before: _before, ...rest } = params;
  const list = await scan<ApiObject>(
    (page) => read({ ...rest, ...page }),
    (object) => rowIdOf(collection, object),
    (object) => (collection.searched ?? []).some((name) => matches(object[name])),
    cursorsOf(params),
  );
  return { collection, filters, list, names: await namesOf(call, collection, list.data) };
}

/** Reads a page of the objects that belong to another one, which no list of /v1 has. */
export async function readRelated(call: PageCall, { collection, read, rowAction }: ReadRelated): Promise<Listed> {
  const page = await read(call, listParams<ListParams>(SCHEMAS.ListParams, call, []));
  return { collection, filters: [], list: page as Page<ApiObject>, names: new Map(), ...(rowAction && { rowAction }) };
}

type ReadRelated = Related & Required<Pick<Related, 'read'>>;

/** True for objects that no list of /v1 selects. */
export function hasOwnRead(related: Related): related is ReadRelated {
  return related.read !== undefined;
}

async function namesOf(
  call: PageCall,
  collection: Collection,
  rows: readonly ApiObject[],
): Promise<ReadonlyMap<string, string>> {
  if (!collection.standsFor) return new Map();
  const pairs = rows.map(async (row) => [rowIdOf(collection, row), await readName(call, collection, row)] as const);
  return new Map(await Promise.all(pairs));
}

/** Filters of a list of /v1, and the search. */
function filtersOf({ list, searched }: Collection, fixed: Readonly<Record<string, string>>): readonly Filter[] {
  const own = fieldsOf(queryOf(list)).flatMap(([name, field]): Filter[] => {
    if (/^(?:limit|starting_after|ending_before)$/.test(name) || name in fixed) return [];
    const choices = field.enum?.map((value) => ({ value: String(value), words: labelOf(String(value)) }));
    const [example] = field.examples ?? [];
    return [{ name, label: labelOf(name), ...(choices ? { choices } : { placeholder: String(example ?? '') }) }];
  });
  return searched ? [{ name: SEARCH, label: 'Search', placeholder: labelOf(searched.join(', ')) }, ...own] : own;
}

/** Page of a collection with a navigation entry. */
export function collectionPage(call: PageCall, listed: Listed): SignedInPage {
  const { base, prefix } = call;
  const { collection, list } = listed;
  const path = prefix + filledPath(collection.list, call.ids);
  const create = createLink(call, collection, `${base}${path}/new`);
  return {
    title: labelOf(collection.many),
    here: prefix + navOf(collection),
    below: collection.siblings ? [] : trailOf(call, collection).slice(0, -1),
    lede: collection.about,
    actions: list.data.length > 0 && create,
    body: html`${doneNotice(call.query['done'], doneWords(collection))}${siblingTabs(call, collection)}${rowsOf(call, listed, { own: base + path, create })}
${listCommands(call, listed)}`,
  };
}

function siblingTabs({ base, prefix }: PageCall, { siblings = [], list }: Collection): Html | false {
  const parts = siblings.map((sibling) => ({
    href: base + prefix + filledPath(sibling.list, {}),
    words: sibling.words,
    isCurrent: sibling.list === list,
  }));
  return parts.length > 0 && tabs('Lists', parts);
}

/** Messages after a change that led back to the list. */
export function doneWords({ actions = [] }: Collection): Readonly<Record<string, string>> {
  return Object.fromEntries(actions.map(({ verb, done }) => [verb, done]));
}

/** Link to the form for a new object; false if the account may not create one. */
export function createLink(
  { session }: Pick<PageCall, 'session'>,
  { room, create, createButton, one }: Collection,
  own: string,
): Html | false {
  if (create === undefined || !mayEnter(session, room, 'change')) return false;
  return html`<a class="btn btn-primary" href="${own}">${createButton ?? `Create ${one}`}</a>`;
}

interface RowsShown {
  /** Path of the page, with the prefix. */
  readonly own: string;
  readonly create: Html | false;
}

/** Filters, rows and pages of a collection. */
export function rowsOf(call: PageCall, listed: Listed, { own, create }: RowsShown): Html {
  const { collection, list, filters } = listed;
  const { query, refused } = call;
  const { many, firstStep } = collection;
  const about = { own, query, refused, filters, nouns: many };
  const data = list.data.map((object) => ({ ...object, id: rowIdOf(collection, object) }));
  const isNarrowed = isFiltered(query, filters);
  return html`${(usesFilters(about) || data.length > 0 || query['starting_after']) && filters.length > 0 && filterBar(about)}
${
  data.length > 0
    ? table({ caption: `${labelOf(many)}, newest first`, items: list.data, columns: columnsOf(call, listed) })
    : isNarrowed
      ? emptyState({
          title: list.hasMore ? `None of the newest ${many} matches` : `No ${collection.one} matches`,
          words: list.hasMore ? '“Older” continues the search.' : 'Remove a filter, or search for other words.',
          action: html`<a class="btn" href="${own}">All ${many}</a>`,
        })
      : emptyState({
          title: `No ${many} yet`,
          words: collection.about,
          ...(firstStep !== undefined &&
            collection.create !== undefined && {
              command: { label: 'plat', text: `${platOf(collection.create, call.ids)} ${firstStep}` },
            }),
          action: create,
        })
}
${pager(about, { ...list, data })}`;
}

function listCommands({ ids, query, now }: PageCall, { collection: { list }, filters }: Listed): Html {
  const given = filters.filter(({ name }) => name !== SEARCH);
  return commandsOf(list, ids, platOptions(query, given, now), apiQuery(query, given, now));
}

function columnsOf(
  call: PageCall,
  { collection, names, rowAction, references = new Map() }: Listed,
): readonly Column<ApiObject>[] {
  const { base, prefix, session, now } = call;
  const { named, columns, list, standsFor, actions = [], room } = collection;
  const { properties = {} } = answerOf(list);
  const frame = { now, hrefOf: hrefOfId(call), references };
  const mayChange = mayEnter(session, room, 'change');
  const buttons = [
    ...(standsFor ? actions : []).map(({ verb, button }) => ({
      button,
      pathOf: (object: ApiObject) => `${objectPath(call, collection, object)}/${verb}`,
    })),
    ...(rowAction
      ? [{ button: rowAction.button, pathOf: (object: ApiObject) => rowAction.path(call.ids, object) }]
      : []),
  ];
  return [
    {
      words: labelOf(named),
      isHead: true,
      look: 'grow',
      cell(object) {
        const name = isolated(names.get(rowIdOf(collection, object)) ?? nameOf(collection, object));
        const path = pagePath(call, collection, object);
        return path === null ? name : html`<a class="row-link" href="${base}${prefix}${path}">${name}</a>`;
      },
    },
    // Beside a button there is room for one.
    ...(rowAction ? columns.slice(0, 1) : columns).map(
      (name, i): Column<ApiObject> => ({
        words: labelOf(name),
        look: `${isFreeText(properties[name]) ? 'text' : 'nowrap'} ${i === 0 ? '' : 'wide'} ${name === 'created_at' ? 'muted' : 'soft'}`,
        cell: (object) => shownValue(properties[name] ?? {}, name, object, frame),
      }),
    ),
    ...(mayChange ? buttons : []).map(
      ({ button, pathOf }): Column<ApiObject> => ({
        words: 'Action',
        look: 'nowrap',
        cell: (object): HtmlValue =>
          html`<a class="row-link act" href="${base}${prefix}${pathOf(object)}">${button}</a>`,
      }),
    ),
  ];
}

/** Returns the path of an object, or of the object that the row stands for; null for a row without a page. */
function pagePath(call: PageCall, collection: Collection, object: ApiObject): string | null {
  const { standsFor } = collection;
  if (!standsFor) return objectPath(call, collection, object);
  return filledPath(standsFor.get, { [idsOf(standsFor.get)[0] ?? '']: rowIdOf(collection, object) });
}

function objectPath({ ids }: PageCall, collection: Collection, object: ApiObject): string | null {
  const { get } = collection;
  return get ? filledPath(get, { ...ids, [idsOf(get).at(-1) ?? '']: rowIdOf(collection, object) }) : null;
}

/** True for a text of any length. */
function isFreeText({ type = [], enum: values, format }: JsonSchema = {}): boolean {
  return [type].flat().includes('string') && values === undefined && format !== 'date-time';
}
