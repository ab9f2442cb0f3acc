import { channel } from 'node:diagnostics_channel';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { afterAll } from 'vitest';
import { refusedForms, shapeOf } from '../sharded-sql.ts';
import { tempFolder } from '../temp-folder.ts';
import { KNOWN_FORMS } from './known-forms.ts';
import { refusedByMysql } from './prepare-on-mysql.ts';

/*
 * Runs with each file of stories on MySQL and MariaDB. Records every statement that mysql2 sends in this process and in
 * those that it starts, and fails the file that sent a form which sharded engines or MySQL refuse.
 */

interface Recorder {
  /** Shapes that were checked, in any file of this process. */
  readonly checked: Set<string>;
  /** Shape → a statement of it, sent since the last check. */
  readonly sent: Map<string, string>;
  /** Folder of the statements that other processes sent. */
  readonly folder: string;
}

declare global {
  var statementRecorder: Recorder | undefined;
}

// Files share a process, and this module runs again for each.
globalThis.statementRecorder ??= startRecorder();
const { checked, sent, folder } = globalThis.statementRecorder;

afterAll(async () => {
  const refused: string[] = [];
  for (const query of readStatements()) if (!checked.has(shapeOf(query))) sent.set(shapeOf(query), query);
  const refusedHere = await refusedByMysql(sent.values());
  for (const [shape] of sent) {
    checked.add(shape);
    const forms = refusedForms(shape).filter(
      (form) => !KNOWN_FORMS.some((known) => known.form === form && known.sql.test(shape)),
    );
    if (forms.length > 0) refused.push(`${forms.join(', ')}: ${shape.slice(0, 300)}`);
  }
  sent.clear();
  if (refused.length > 0) throw new Error(`not for sharded engines (docs/scaling.md):\n${refused.join('\n')}`);
  if (refusedHere.length > 0) throw new Error(`MySQL does not prepare:\n${refusedHere.join('\n')}`);
});

/** Returns statements of the processes that this file started. */
function* readStatements(): Generator<string> {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    // A process that was killed may have cut off its last line.
    for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) yield JSON.parse(line);
    rmSync(file);
  }
}

function startRecorder(): Recorder {
  const { path, remove } = tempFolder('sent');
  process.once('exit', remove);
  env['STATEMENTS_FOLDER'] = path;
  const recorder: Recorder = { checked: new Set(), sent: new Map(), folder: path };
  /** Texts of prepared statements repeat. */
  const seen = new Set<string>();
  const record = (message: unknown): void => {
    const { query } = message as { readonly query: string };
    if (seen.has(query) || isOfSetUp(query)) return;
    if (!query.includes("'")) seen.add(query);
    const shape = shapeOf(query);
    if (!recorder.checked.has(shape)) recorder.sent.set(shape, query);
  };
  for (const name of ['query', 'execute']) channel(`tracing:mysql2:${name}:start`).subscribe(record);
  return recorder;
}

/** The copy of the migrated database is many statements in one text. Their tables are those of the migrations. */
function isOfSetUp(query: string): boolean {
  return query.startsWith('SET foreign_key_checks = 0;');
}
