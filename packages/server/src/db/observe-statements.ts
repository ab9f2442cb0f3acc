import { isMeasuring, startTimer } from '../kernel/meter.ts';
import { isTracing, startChild } from '../kernel/trace.ts';
import type { Connection } from './sequelize-internals.ts';
import { TABLES } from './tables/index.ts';

const KNOWN_TABLES: ReadonlySet<string> = new Set(Object.values(TABLES).map(({ name }) => name));
const VERBS: ReadonlySet<string> = new Set(['select', 'insert', 'update', 'delete', 'begin', 'commit', 'rollback']);

/** Begins the measurement of a statement. Call the result when it has ended, with its error. */
export function observeStatement(sql: string): (error?: unknown) => void {
  if (!isMeasuring() && !isTracing()) return unobserved;
  const labels = labelsOf(sql);
  const endTimer = startTimer('plat_db_query_duration_seconds', labels);
  const { statement, table } = labels;
  const span = startChild(`${statement} ${table}`.trim(), 'client', {
    'db.operation.name': statement,
    'db.collection.name': table,
  });
  if (!span) return endTimer;
  return (error) => {
    endTimer();
    span.end(error ? { error } : {});
  };
}

/** Measures every statement of a connection of mysql2. */
export function observeConnection(connection: Connection): void {
  const { query, execute } = connection as unknown as Record<'query' | 'execute', Send>;
  Object.assign(connection, { query: observed(query), execute: observed(execute) });
}

function unobserved(): void {}

type Send = (this: unknown, statement: string | { readonly sql: string }, ...rest: unknown[]) => unknown;

function observed(send: Send): Send {
  return function (statement, ...rest) {
    const done = rest.at(-1);
    if (typeof done !== 'function') return send.call(this, statement, ...rest);
    const end = observeStatement(typeof statement === 'string' ? statement : statement.sql);
    let isDone = false;
    const observedDone = (...results: unknown[]): unknown => {
      // mysql2 calls back twice when the connection ends while it prepares a statement.
      if (isDone) return undefined;
      isDone = true;
      end(results[0]);
      return done(...results);
    };
    return send.call(this, statement, ...rest.slice(0, -1), observedDone);
  };
}

interface StatementLabels {
  readonly statement: string;
  readonly table: string;
}

/** Labels of prepared statements. Texts with values differ each time and may be secret: they are not kept. */
const known = new Map<string, StatementLabels>();
const MAX_KNOWN = 2_000;
const MAX_LENGTH = 2_000;

/** Labels of a statement: names from fixed sets only. */
export function labelsOf(sql: string): StatementLabels {
  const found = known.get(sql);
  if (found) return found;
  const labels = readLabels(sql);
  if (known.size < MAX_KNOWN && sql.length < MAX_LENGTH && !sql.includes("'")) known.set(sql, labels);
  return labels;
}

function readLabels(sql: string): StatementLabels {
  const word = /^[\s(]*([a-z]+)/i.exec(sql)?.[1]?.toLowerCase() ?? '';
  const verb = word === 'start' ? 'begin' : word;
  if (!VERBS.has(verb)) return { statement: 'other', table: '' };
  const table = /\b(?:from|into|update)\s+[`"]?(\w+)/i.exec(sql)?.[1] ?? '';
  return { statement: verb, table: KNOWN_TABLES.has(table) ? table : '' };
}
