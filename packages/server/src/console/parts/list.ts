import type { JsonSchema } from '@plat/contract/schemas';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { shellWord } from '../../http/shell-word.ts';
import { refusal, validate } from '../../http/validate.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { enteredTime } from './entered-time.ts';
import { labelOf } from './label.ts';

/** A choice of a filter. */
interface Choice {
  readonly value: string;
  readonly words: string;
}

/** A field of a filter bar: a text, or a choice if there are choices. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly choices?: readonly Choice[];
  readonly placeholder?: string;
}

export type Query = Readonly<Record<string, string>>;

/** Filters of a list that were refused, by name. The list is shown without them. */
export type RefusedFilters = Readonly<Record<string, { readonly entered: string; readonly words: string }>>;

/** Rows on a page of a list. */
export const PAGE = 25;

const CURSORS = ['starting_after', 'ending_before'] as const;

/** A page of a list, with the query that it answers. */
export interface ListShown {
  /** Path of the list, with the prefix. */
  readonly own: string;
  readonly query: Query;
  readonly filters: readonly Filter[];
  readonly refused?: RefusedFilters;
  /** Plural noun of the rows. */
  readonly nouns: string;
}

/** Returns the filters that a list refused; null for another failure, whose page cannot be shown without a filter. */
export function refusedFilters(error: unknown, query: Query): RefusedFilters | null {
  if (!(error instanceof ApiError) || error.code !== 'INVALID_REQUEST') return null;
  const cursors: readonly string[] = CURSORS;
  const problems = error.errors ?? [];
  if (problems.length === 0 || !problems.every(({ path }) => query[path] && !cursors.includes(path))) return null;
  return Object.fromEntries(
    problems.map(({ path, message }) => [
      path,
      { entered: query[path] ?? '', words: `${labelOf(path)} ${message}. The list is shown without this filter.` },
    ]),
  );
}

/**
 * Returns the filters and the cursor of a query as the parameters of a list of /v1, checked by its schema. Fields
 * without a value are absent: a form sends every field.
 * @throws {@link ApiError} INVALID_REQUEST
 */
export function listParams<Params extends object>(
  schema: JsonSchema,
  { query, now }: { readonly query: Query; readonly now: number },
  filters: readonly Filter[],
  more: Readonly<Record<string, string>> = {},
): Params & { readonly limit: number } {
  const given = Object.fromEntries([...parametersIn(query, filters, now), ...givenIn(query, CURSORS)]);
  const params = validate('INVALID_REQUEST', schema, { ...given, ...more }, 'query') as Params;
  return { ...params, limit: PAGE };
}

const AGES = [
  { value: '1h', words: 'Last hour', ms: 3_600_000 },
  { value: '24h', words: 'Last 24 h', ms: DAY_MS },
  { value: '7d', words: 'Last 7 days', ms: 7 * DAY_MS },
];

/** Filter for the age of the rows. */
const SINCE: Filter = { name: 'since', label: 'Time', choices: AGES };

/** Filter that begins the list at an earlier time. */
const BEFORE: Filter = { name: 'created_before', label: 'Before (UTC)', placeholder: '2026-01-31 12:00 UTC' };

/** Filters for the time of the rows. */
export const TIMES: readonly Filter[] = [SINCE, BEFORE];

/** The same for rows whose creation is not the time that the list shows. */
export const CREATION_TIMES: readonly Filter[] = [
  { ...SINCE, label: 'Created' },
  { ...BEFORE, label: 'Created before (UTC)' },
];

/** True for a filter that is a parameter of /v1 as entered. */
const isSent = (filter: Filter): boolean => TIMES.every(({ name }) => name !== filter.name);

type Pairs = readonly (readonly [name: string, value: string])[];

/**
 * Returns the parameters of /v1 for the active filters.
 * @throws {@link ApiError} INVALID_REQUEST
 */
function parametersIn(query: Query, filters: readonly Filter[], now: number): Pairs {
  const names = filters.filter(isSent).map(({ name }) => name);
  const times = filters.every(isSent) ? {} : createdWithin(query, now);
  return [...givenIn(query, names), ...Object.entries(times)];
}

/**
 * Returns the parameters of /v1 for the entered times.
 * @throws {@link ApiError} INVALID_REQUEST
 */
function createdWithin(
  query: Query,
  now: number,
): { readonly created_after?: string; readonly created_before?: string } {
  const before = query[BEFORE.name]?.trim();
  const until = before ? { created_before: enteredTime(before, now) } : {};
  const given = query[SINCE.name];
  if (!given) return until;
  const age = AGES.find(({ value }) => value === given);
  if (age === undefined) {
    const message = `must be one of ${AGES.map(({ value }) => value).join(', ')}`;
    throw refusal('INVALID_REQUEST', [{ path: SINCE.name, message }]);
  }
  return { created_after: new Date(now - age.ms).toISOString(), ...until };
}

/** A GET form with the filters, and a chip for each active one whose link removes it. */
export function filterBar({ own, query, filters, refused = {}, nouns }: ListShown): Html {
  const active = activeIn(query, filters);
  return html`<form class="filters" method="get" action="${own}" aria-label="Filter ${nouns}">
${filters.map((filter) => filterField(filter, query[filter.name] ?? '', refused[filter.name]))}<button type="submit" class="btn">Apply</button></form>
${
  active.length > 0 &&
  html`<p class="chips">${active.map(
    (filter) =>
      html`<a class="chip" href="${own}${firstPage(query, filter.name)}">${filter.label}: ${wordsOf(filter, query)} <span aria-hidden="true">×</span><span class="sr">Remove filter</span></a>`,
  )}</p>`
}`;
}

function filterField(
  { name, label, choices, placeholder }: Filter,
  value: string,
  refused: RefusedFilters[string] | undefined,
): Html {
  const id = `filter-${name}`;
  const problem = refused && html`<p class="error" id="${id}-problem">${refused.words}</p>`;
  const described = refused && html` aria-describedby="${id}-problem" aria-invalid="true"`;
  const shown = refused?.entered ?? value;
  if (choices === undefined) {
    return html`<div class="field grow-field"><label for="${id}">${label}</label>${problem}<input class="input" id="${id}" name="${name}" value="${shown}" placeholder="${placeholder}" autocomplete="off" spellcheck="false"${described}></div>
`;
  }
  const offered = refused ? [{ value: shown, words: shown }, ...choices] : choices;
  const options = offered.map(
    (choice) =>
      html`<option value="${choice.value}"${choice.value === shown && html` selected`}>${choice.words}</option>`,
  );
  return html`<div class="field"><label for="${id}">${label}</label>${problem}<select class="input" id="${id}" name="${name}"${described}><option value="">Any</option>${options}</select></div>
`;
}

function wordsOf({ name, choices }: Filter, query: Query): string {
  const value = query[name] ?? '';
  return choices?.find((choice) => choice.value === value)?.words ?? value;
}

/** Returns the filters that have a value in the query. */
function activeIn(query: Query, filters: readonly Filter[]): readonly Filter[] {
  return filters.filter(({ name }) => givenIn(query, [name]).length > 0);
}

/** Returns the given fields of a query that have a value, without the white space around a text that was pasted. */
function givenIn(query: Query, names: readonly string[]): Pairs {
  return names.flatMap((name) => {
    const value = query[name]?.trim();
    return value ? [[name, value] as const] : [];
  });
}

/** Returns the given fields of a query that have a value, as a query string; '' without any. */
function onlyOf(query: Query, names: readonly string[]): string {
  return queryStringOf(givenIn(query, names));
}

function queryStringOf(pairs: Pairs): string {
  return pairs.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(pairs))}`;
}

/** Returns the query with its filters, for the link to a row. The cursor stays, so that the list stays. */
export function queryOf(query: Query, filters: readonly Filter[]): string {
  return onlyOf(query, [...filters.map(({ name }) => name), ...CURSORS]);
}

/** Returns the query of the first page, except for a filter to remove. */
function firstPage(query: Query, removed?: string): string {
  const gone: readonly (string | undefined)[] = [removed, ...CURSORS, 'done'];
  return onlyOf(
    query,
    Object.keys(query).filter((name) => !gone.includes(name)),
  );
}

interface Rows {
  readonly data: readonly { readonly id: string }[];
  readonly hasMore: boolean;
  /** Cursor at which the list continues; absent if the first or last row is it. */
  readonly nextCursor?: string;
}

/** Links to the newer and the older page. A page whose search ended early can be empty and still continue. */
export function pager(
  { own, query, nouns }: Omit<ListShown, 'filters'>,
  { data, hasMore, nextCursor }: Rows,
): HtmlValue {
  const { ending_before: before, starting_after: after } = query;
  const isBackward = Boolean(before);
  const first = isBackward ? (nextCursor ?? data[0]?.id) : (data[0]?.id ?? after);
  const last = isBackward ? (data.at(-1)?.id ?? before) : (nextCursor ?? data.at(-1)?.id);
  const newer = isBackward ? hasMore && first : after && first;
  const older = isBackward ? last : hasMore && last;
  if (!newer && !older) return null;
  const rest = firstPage(query);
  const link = (cursor: string, id: string, words: string) =>
    html`<a class="btn" href="${own}${rest === '' ? '?' : `${rest}&`}${cursor}=${id}">${words}</a>`;
  return html`<nav class="pager" aria-label="Pages of ${nouns}"><span>${data.length} ${nouns} on this page</span>${newer && link('ending_before', newer, 'Newer')}${older && link('starting_after', older, 'Older')}</nav>`;
}

/** True if the query has a filter. */
export function isFiltered(query: Query, filters: readonly Filter[]): boolean {
  return activeIn(query, filters).length > 0;
}

/** True if a filter is active or was refused: then the fields are shown beside an empty list, too. */
export function usesFilters({ query, filters, refused = {} }: ListShown): boolean {
  return isFiltered(query, filters) || Object.keys(refused).length > 0;
}

/** Query with the active filters, without the cursor. */
export function filterQuery(query: Query, filters: readonly Filter[]): string {
  return onlyOf(
    query,
    filters.map(({ name }) => name),
  );
}

/** Options of `plat` for the active filters. */
export function platOptions(query: Query, filters: readonly Filter[], now: number): string {
  return parametersIn(query, filters, now)
    .map(([name, value]) => ` --${name.replaceAll('_', '-')} ${shellWord(value)}`)
    .join('');
}

/** Query of /v1 for the active filters and the cursor. */
export function apiQuery(query: Query, filters: readonly Filter[], now: number): string {
  return queryStringOf([...parametersIn(query, filters, now), ...givenIn(query, CURSORS)]);
}
