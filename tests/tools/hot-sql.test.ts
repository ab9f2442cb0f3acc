import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repository } from '../support/process.ts';

const SOURCES = join(repository, 'packages/server/src');

/** Beginnings of statements, and clauses that only statements contain. */
const STATEMENT =
  /\b(SELECT\s+\S|INSERT\s+(OR IGNORE\s+|IGNORE\s+)?INTO\b|UPDATE\s+\S+\s+SET\b|DELETE\s+FROM\b|CREATE\s+TABLE\b|ORDER BY\b|FOR UPDATE\b|SET SESSION\b)/;

/** An import of a function that runs a statement. */
const RUNNER =
  /import \{[^}]*\b(select|selectOne|selectText|execute|executeText)\b[^}]*\} from '[./]*\/(db\/)?sql\.ts'/;

/** Sources of the server without tests and migrations, as paths below `packages/server/src`. */
function sources(): readonly string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter(
      (file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file) && !file.startsWith('db/migrations/'),
    );
}

function hasSql(file: string): boolean {
  const text = readFileSync(join(SOURCES, file), 'utf8');
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*/g, '');
  return STATEMENT.test(code) || RUNNER.test(code);
}

it('decision 035 lists every file of the server that contains SQL, and no other', () => {
  const decision = readFileSync(join(repository, 'docs/decisions/035-hot-sql.md'), 'utf8');
  const listed = [...decision.matchAll(/^\| `([^`]+\.ts)` \|/gm)].map(([, file]) => file);
  expect(listed.toSorted()).toEqual(sources().filter(hasSql).toSorted());
});

/** Members of Sequelize that its types omit, and the casts that access them. */
const INTERNALS =
  /connectionManager|startTransaction|commitTransaction|queryGenerator|sequelize as unknown|getQueryInterface\(\) as|logging =/;

it("only db/sequelize-internals.ts uses members that Sequelize's types omit", () => {
  const users = sources().filter((file) => INTERNALS.test(readFileSync(join(SOURCES, file), 'utf8')));
  expect(users).toEqual(['db/sequelize-internals.ts']);
});
