import { setTimeout as pause } from 'node:timers/promises';

/** Requests of one phase. */
export interface PhaseCount {
  readonly phase: string;
  requests: number;
  /** Status or error → number of requests. */
  readonly failed: Map<string, number>;
  longestMs: number;
}

/** Constant load on the servers in rotation, as behind a load balancer. */
export interface Load {
  readonly phases: readonly PhaseCount[];
  enter(phase: string): void;
  stop(): Promise<void>;
}

const CALLERS = 4;
const PAUSE_MS = 50;

/** @param baseUrls returns the servers in rotation now */
export function startLoad(apiKey: string, baseUrls: () => readonly string[]): Load {
  const phases: PhaseCount[] = [];
  let turn = 0;
  let isOver = false;

  async function send(method: string, path: string, body?: unknown): Promise<unknown> {
    const phase = phases.at(-1);
    const urls = baseUrls();
    const baseUrl = urls[turn++ % urls.length];
    if (!phase) return null;
    const startedAt = performance.now();
    phase.requests++;
    let outcome: string;
    try {
      if (baseUrl === undefined) throw new Error('no server is ready');
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
      const response = await fetch(baseUrl + path, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const answer: unknown = await response.json();
      phase.longestMs = Math.max(phase.longestMs, performance.now() - startedAt);
      if (response.ok) return answer;
      outcome = String(response.status);
    } catch (error) {
      outcome = error instanceof Error ? error.message : String(error);
    }
    phase.failed.set(outcome, (phase.failed.get(outcome) ?? 0) + 1);
    return null;
  }

  async function call(): Promise<void> {
    for (let i = 0; !isOver; i++) {
      const created = (await send('POST', '/v1/clients', { name: `Client ${i}` })) as { id?: string } | null;
      if (created?.id !== undefined) {
        await send('GET', `/v1/clients/${created.id}`);
        await send('PATCH', `/v1/clients/${created.id}`, { name: `Client ${i}, renamed` });
      }
      await send('GET', '/v1/clients?limit=10');
      await pause(PAUSE_MS);
    }
  }

  const callers = Array.from({ length: CALLERS }, call);
  return {
    phases,
    enter: (phase) => void phases.push({ phase, requests: 0, failed: new Map(), longestMs: 0 }),
    async stop() {
      isOver = true;
      await Promise.all(callers);
    },
  };
}
