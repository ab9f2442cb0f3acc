import { argv, stdin, stdout } from 'node:process';
import { createLaunchVerifier, createOneTimeGuard, LaunchTokenError } from '@plat/launch-token';
import { openOneTimeStore, type UsedTokensAt } from './used-tokens.ts';

/* Process of a module. It reports that it is ready and redeems the same launch several times on request. */

/** Command line arguments of the process. */
export interface RedeemOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly token: string;
  readonly at: UsedTokensAt;
  readonly launches: number;
}

const { at, token, launches, ...options }: RedeemOptions = JSON.parse(argv[2] ?? '{}');
const { store, close } = await openOneTimeStore(at);
const verifier = createLaunchVerifier({ ...options, once: createOneTimeGuard({ store }) });
await verifier.hydrate();

stdin.once('data', async () => {
  const results = await Promise.allSettled(Array.from({ length: launches }, () => verifier.verify(token)));
  const codes = results.map((result) => {
    if (result.status === 'fulfilled') return 'ok';
    return result.reason instanceof LaunchTokenError ? result.reason.code : String(result.reason);
  });
  stdout.write(`results ${JSON.stringify(codes)}\n`);
  await close();
  stdin.destroy();
});
stdout.write('ready\n');
