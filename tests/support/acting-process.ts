import { argv, stdin, stdout } from 'node:process';
import { OAuth } from '@plat/sdk/oauth';
import { type GrantsAt, openStore } from './grants.ts';

/* Process of an app that acts for one tenant. It reports that it is ready and makes its calls on request. */

/** Command line arguments of the process. */
export interface ActingOptions {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly grants: GrantsAt;
  readonly key: string;
  readonly calls: number;
}

const { grants, key, calls, ...app }: ActingOptions = JSON.parse(argv[2] ?? '{}');
const { store, close } = openStore(grants);
const platform = new OAuth({ ...app, redirectUri: 'https://app.example/callback', store }).actingFor(key);

stdin.once('data', async () => {
  const results = await Promise.allSettled(Array.from({ length: calls }, () => platform.me.get()));
  const said = results.map((result) => (result.status === 'fulfilled' ? 'ok' : String(result.reason)));
  stdout.write(`results ${JSON.stringify(said)}\n`);
  await close();
  stdin.destroy();
  platform.close();
});
stdout.write('ready\n');
