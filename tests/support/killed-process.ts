import { ServerResponse } from 'node:http';
import { argv, env, pid, stdout } from 'node:process';
import { createTestServer, onStatement } from '@plat/server/testing';

/*
 * A server that kills itself (SIGKILL: no handler runs) when the first request it gets is about to run its nth statement,
 * or, for "answer", about to answer. Started by the stories of crashes.
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
