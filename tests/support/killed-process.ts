import { ServerResponse } from 'node:http';
import { argv, env, pid, stdout } from 'node:process';
import { createTestServer, onStatement } from '@plat/server/testing';

/*
 * A server that kills itself (SIGKILL: no handler runs) before the nth statement of its first request, or, for
 * "answer", before its response. Started by crash stories.
 */

const [, , point = ''] = argv;
const die = () => process.kill(pid, 'SIGKILL');
const server = await createTestServer({ databaseUrl: env['DATABASE_URL'] ?? '', env: { PLAT_DISPATCH: 'false' } });
if (point === 'answer') ServerResponse.prototype.end = die as never;
else {
  let statements = 0;
  onStatement(server.db, () => {
    if (++statements === Number(point)) die();
  });
}
stdout.write(`Base URL ${server.baseUrl}\n`);
