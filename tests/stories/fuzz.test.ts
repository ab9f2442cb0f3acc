import { type ErrorCode, OPERATIONS, type OperationName } from '@plat/contract';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { expectBounded, sendCounted } from '../support/fuzz/bounds.ts';
import { createKnownIds } from '../support/fuzz/known-ids.ts';
import { type FuzzRequest, requestsOf, type Target } from '../support/fuzz/requests.ts';
import { type OpenApi, type Response, resolve, schemaChecker } from '../support/openapi.ts';
import type { RawAnswer } from '../support/raw-request.ts';
import { useServer } from '../support/story.ts';

/** Number of calls of each operation, and the seed. A failure prints both, and they reproduce it. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 60);
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
const ids = createKnownIds();
/** Operations that succeeded at least once. */
const taken = new Set<OperationName>();
let document: OpenApi;
let apiKey: string;
let check: ReturnType<typeof schemaChecker>;

beforeAll(async () => {
  const { baseUrl } = story.server;
  document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as OpenApi;
  check = schemaChecker(document);
  ({ apiKey } = await story.server.createSandbox());
  // Objects of the sandbox, and additional objects of every kind.
  const makers = names.filter((name) => OPERATIONS[name].method !== 'DELETE');
  for (const round of [1, 2]) for (const name of makers) await fuzz(name, 'good', 4, round);
});

/** Order of the operations: reads first, to learn ids; deletes last, nested objects before their parents. */
const names = (Object.keys(OPERATIONS) as OperationName[]).sort((a, b) => rank(a) - rank(b));

test.each(names)('%s: any input gets an answer within its document, and never a 5xx', async (name) => {
  await fuzz(name, 'mixed', RUNS);
  // An operation that only refused calls is not tested yet.
  for (let round = 3; round < 20 && !taken.has(name); round += 1) await fuzz(name, 'good', 10, round);
  expect(taken, `seed ${SEED}`).toContain(name);
});

function rank(name: OperationName): number {
  const { method, path } = OPERATIONS[name];
  if (method === 'GET') return -200;
  return method === 'DELETE' ? 100 - path.length : -100;
}

/** Calls an operation `numRuns` times, and judges every response. */
async function fuzz(name: OperationName, kind: 'good' | 'mixed', numRuns: number, round = 0): Promise<void> {
  const target = targetOf(name);
  const calls = callsOf(name)[kind];
  // Equal seeds would send every operation the same Idempotency-Keys.
  const seed = SEED * 2000 + names.indexOf(name) * 20 + round;
  const property = fc.asyncProperty(calls, async (call) => {
    const { answer, statements } = await sendCounted(story.server, call);
    expectBounded(call, answer, statements);
    ids.record(judge(target, call, answer));
    if (answer.status === OPERATIONS[name].status) taken.add(name);
  });
  await fc.assert(property, { numRuns, seed, interruptAfterTimeLimit: 25_000 });
}

/** Validates a response against the document, and returns its body. */
function judge({ operation }: Target, call: FuzzRequest, { status, text }: RawAnswer): unknown {
  const seen = `${status} ${text.slice(0, 500)}`;
  const declared = operation.responses[status];
  if (!declared) throw new Error(`${status} is not declared: ${seen}`);
  const response: Response = resolve(document, declared);
  const content = response.content?.['application/json'];
  if (!content) throw new Error(`the document says nothing of the body: ${seen}`);
  const body = JSON.parse(text) as { readonly code: ErrorCode };
  expect(check(content.schema, body), seen).toEqual([]);
  if (status >= 400) expect(response['x-error-codes'], seen).toContain(body.code);
  else expect(wrongIn(operation, call), `was taken, although the document forbids it: ${seen}`).toEqual([]);
  return body;
}

/** Returns the schema violations of a request body. Texts are validated as the server stores them: trimmed. */
function wrongIn({ requestBody }: Target['operation'], { value }: FuzzRequest): readonly string[] {
  if (!requestBody || value === undefined) return [];
  return check(requestBody.content['application/json'].schema, JSON.parse(JSON.stringify(value), trimmed));
}

function trimmed(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

/** Calls of each operation: making the generators takes longer than using them. */
const generators = new Map<OperationName, ReturnType<typeof requestsOf>>();

function callsOf(name: OperationName): ReturnType<typeof requestsOf> {
  const made = generators.get(name) ?? requestsOf(targetOf(name), apiKey, { document, ids });
  generators.set(name, made);
  return made;
}

function targetOf(name: OperationName): Target {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId === name) return { method, path, operation };
    }
  }
  throw new Error(`the document has no ${name}`);
}
