import { env, exit, pid } from 'node:process';
import { createTestServer, onStatement } from '@plat/server/testing';

/** Reencrypts all values and is killed (SIGKILL) before it replaces its 150th mail. Started by stories. */
const AT = 150;

const { DATABASE_URL: databaseUrl = '', PLAT_MASTER_KEY = '' } = env;
const server = await createTestServer({ databaseUrl, env: { PLAT_DISPATCH: 'false', PLAT_MASTER_KEY } });
let swaps = 0;
onStatement(server.db, (statement) => {
  if (statement.startsWith('UPDATE mails SET body') && ++swaps === AT) process.kill(pid, 'SIGKILL');
});
await server.reencryptSecrets();
exit(1);
