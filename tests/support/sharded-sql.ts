import { cstVisitor, type Node, parse } from 'sql-parser-cst';

/**
 * Forms of statements that Vitess or TiDB do not take. docs/scaling.md has the source of each. A statement that is not
 * a SELECT or a change of rows is compared with patterns only, because the parser does not know the others of MySQL.
 */
const PATTERNS: readonly (readonly [form: string, pattern: RegExp])[] = [
  ['stored program', /^(CREATE|ALTER|DROP)\s+(\S+\s+)?(PROCEDURE|FUNCTION|TRIGGER|EVENT)\b|^CALL\b/i],
  ['foreign key', /\bFOREIGN\s+KEY\b/i],
  ['full text or spatial index', /\b(FULLTEXT|SPATIAL)\s+(KEY|INDEX)\b/i],
  ['CREATE TABLE … SELECT', /^CREATE\s+(TEMPORARY\s+)?TABLE\b[^;]*\bSELECT\b/i],
  ['LOCK TABLES', /^LOCK\s+TABLES?\b/i],
  ['XA', /^XA\b/i],
  ['HANDLER', /^HANDLER\b/i],
  ['CHECK, CHECKSUM, REPAIR or OPTIMIZE TABLE', /^(CHECK|CHECKSUM|REPAIR|OPTIMIZE)\s+TABLE\b/i],
  ['RETURNING', /^(INSERT|REPLACE|DELETE)\b.*\bRETURNING\b/is],
  ['LOAD DATA', /^LOAD\s+DATA\b/i],
  ['SELECT … INTO', /^SELECT\b[^']*\bINTO\s+(@|OUTFILE\b|DUMPFILE\b)/i],
];

const LOCKS = /^(GET_LOCK|RELEASE_LOCK|RELEASE_ALL_LOCKS|IS_FREE_LOCK|IS_USED_LOCK)$/i;

/** Columns that the rows of a tenant are distributed by. */
const SHARD_COLUMNS: ReadonlySet<string> = new Set(['tenant_id']);

/** Returns the forms of a statement that a sharded engine refuses. */
export function refusedForms(sql: string): readonly string[] {
  const text = sql.trim();
  const forms = PATTERNS.filter(([, pattern]) => pattern.test(text)).map(([form]) => form);
  return forms.length === 0 && isOfRows(text) ? [...new Set(formsOfRows(text))] : forms;
}

/** Returns a text that all statements share that differ only in values and in the number of rows and parts. */
export function shapeOf(sql: string): string {
  const plain = sql
    .trim()
    .replace(/'(?:[^'\\]|\\.|'')*'/g, "'x'")
    .replace(/X'x'/g, "'x'")
    .replace(/\b\d+(\.\d+)?\b/g, '1')
    .replace(/( WHEN (?:(?! WHEN | END\b|\bCASE\b).)+)(?: WHEN (?:(?! WHEN | END\b|\bCASE\b).)+)+/gs, '$1')
    .replace(/\bIN \((?:'x'|1|\?|,|\s)+\)/g, 'IN (1)')
    .replace(/(\((?:'x'|1|\?|NULL|,|\s)+\))(?:,\s*\((?:'x'|1|\?|NULL|,|\s)+\))+/g, '$1');
  return [...new Set(plain.split(/\s+UNION ALL\s+/))].join(' UNION ALL ');
}

/** Returns true for a SELECT or a change of rows. */
export function isOfRows(sql: string): boolean {
  return /^\s*\(*\s*(SELECT|INSERT|REPLACE|UPDATE|DELETE|WITH)\b/i.test(sql);
}

function formsOfRows(sql: string): readonly string[] {
  const found: string[] = [];
  let change: 'UPDATE' | 'DELETE' | null = null;
  const note = (form: string, isFound: unknown): void => {
    if (isFound) found.push(form);
  };
  const visit = cstVisitor({
    update_stmt() {
      change = 'UPDATE';
    },
    delete_stmt() {
      change = 'DELETE';
    },
    insert_clause: ({ insertKw }) => note('REPLACE', insertKw.name === 'REPLACE'),
    update_clause: ({ tables }) => note('UPDATE of several tables', tables.items.length > 1),
    delete_clause: ({ tables }) => note('DELETE from several tables', tables.items.length > 1),
    column_assignment: ({ column }) =>
      note('change of the shard column', change === 'UPDATE' && SHARD_COLUMNS.has(nameOf(column))),
    limit_clause: () => note('UPDATE or DELETE with LIMIT', change),
    select_clause: () => note('subquery in UPDATE or DELETE', change),
    join_expr: ({ operator, specification }) => {
      note(change === 'UPDATE' ? 'UPDATE of several tables' : 'DELETE from several tables', change);
      note('NATURAL JOIN', JSON.stringify(operator).includes('NATURAL'));
      note('JOIN … USING', specification?.type === 'join_using_specification');
    },
    group_by_clause: ({ withRollupKw }) => note('WITH ROLLUP', withRollupKw),
    func_call: ({ name }) => note('named lock', LOCKS.test(nameOf(name))),
  });
  visit(parse(parsable(sql), { dialect: 'mysql', paramTypes: ['?'] }));
  return found;
}

/** The parser has neither these hints, which both engines take, nor these functions. */
function parsable(sql: string): string {
  return sql.replace(/\s(FORCE|USE|IGNORE) INDEX \([^)]*\)/g, ' ').replace(/\b(UTC_TIMESTAMP|DATABASE)\(/g, 'NOW(');
}

function nameOf(node: Node): string {
  if (node.type === 'identifier') return node.name;
  return node.type === 'member_expr' ? nameOf(node.property) : '';
}
