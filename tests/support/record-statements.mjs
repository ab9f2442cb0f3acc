import { channel } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, pid } from 'node:process';

/*
 * Loaded before a program that a story starts. Writes each new statement of mysql2 to a file at once, because the program
 * may be killed. JavaScript, because the support of TypeScript would double the time of the start of Node.
 */

const file = join(env.STATEMENTS_FOLDER, `${pid}.ndjson`);
const seen = new Set();

function record({ query }) {
  const known = query.includes("'") ? query.replace(/'(?:[^'\\]|\\.|'')*'/g, "'x'").replace(/\d+/g, '1') : query;
  if (seen.has(known)) return;
  seen.add(known);
  appendFileSync(file, `${JSON.stringify(query)}\n`);
}

for (const name of ['query', 'execute']) channel(`tracing:mysql2:${name}:start`).subscribe(record);
