import { setTimeout as wait } from 'node:timers/promises';
import { oneOf, type Random } from './random.ts';

/** An acknowledged change and the expected data of its event. */
export interface Answered {
  readonly clientId: string;
  readonly updatedAt: string;
}

export interface Writers {
  readonly answered: readonly Answered[];
  /** Failed responses by status and code. */
  readonly refused: ReadonlyMap<string, number>;
  /** Requests without a response: the server was killed or is not running. */
  unanswered(): number;
  stop(): Promise<void>;
}

export interface WriterOptions {
  readonly apiKeys: readonly string[];
  readonly writers: number;
  readonly random: Random;
  someBaseUrl(): string | undefined;
}

const MEAN_PAUSE_MS = 100;
/** One change in this many updates an existing client. */
const UPDATES = 0.3;

/** Creates and changes clients of some tenants, each time through any running process, until it is stopped. */
export function startWriters({ apiKeys, writers, random, someBaseUrl }: WriterOptions): Writers {
  const answered: Answered[] = [];
  const refused = new Map<string, number>();
  let unanswered = 0;
  let isStopping = false;

  async function write(authorization: string, own: string[]): Promise<void> {
    const baseUrl = someBaseUrl();
    if (baseUrl === undefined) return;
    const known = random() < UPDATES ? oneOf(random, own) : undefined;
    const response = await fetch(`${baseUrl}/v1/clients${known === undefined ? '' : `/${known}`}`, {
      method: known === undefined ? 'POST' : 'PATCH',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Client ${Math.floor(random() * 1e9)}` }),
      signal: AbortSignal.timeout(30_000),
    });
    const body: unknown = await response.json();
    const { id, updated_at: updatedAt, code } = body as { id: string; updated_at: string; code?: string };
    if (response.ok) {
      answered.push({ clientId: id, updatedAt });
      if (known === undefined) own.push(id);
    } else {
      const what = `${response.status} ${code}`;
      refused.set(what, (refused.get(what) ?? 0) + 1);
    }
  }

  const writing = Array.from({ length: writers }, async (_, index) => {
    const authorization = `Bearer ${apiKeys[index % apiKeys.length]}`;
    const own: string[] = [];
    while (!isStopping) {
      await write(authorization, own).catch(() => {
        unanswered++;
      });
      await wait(2 * MEAN_PAUSE_MS * random());
    }
  });

  return {
    answered,
    refused,
    unanswered: () => unanswered,
    async stop() {
      isStopping = true;
      await Promise.all(writing);
    },
  };
}
