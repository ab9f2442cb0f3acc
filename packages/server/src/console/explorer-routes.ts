import { type ErrorBody, HEADERS, OPERATIONS } from '@plat/contract';
import { bodyOf, type OperationCall, targetOf } from '../http/call-code.ts';
import type { InsideAnswer } from '../http/call-inside.ts';
import { randomBytes } from '../kernel/random.ts';
import { mayEnter } from './access.ts';
import { callerOf } from './explorer-caller.ts';
import { FIRST_OPERATION, type Filled, filledForm, readForm } from './explorer-form.ts';
import { EXPLORER_PATH, explorerPage } from './explorer-pages.ts';
import type { Problems } from './forms.ts';
import type { PageAnswer, PageCall, PageRoute } from './page-route.ts';
import { jsonIn } from './parts/code.ts';
import { scopesOfCall } from './room-scopes.ts';

/** Calls any operation of /v1 from a form. A GET has its fields in the address, so the link repeats it. */
export const explorerRoutes: readonly PageRoute[] = [
  {
    room: 'explorer',
    method: 'GET',
    path: EXPLORER_PATH,
    callsApi: true,
    async handle(page) {
      const isChosen = Boolean(page.query['operation']);
      const filled = filledForm(isChosen ? page.query : { operation: FIRST_OPERATION });
      const isRun = page.query['run'] === '1' && isChosen && OPERATIONS[filled.operation].method === 'GET';
      return answer(page, filled, isRun);
    },
  },
  {
    room: 'explorer',
    method: 'POST',
    path: EXPLORER_PATH,
    callsApi: true,
    handle: (page) => answer(page, filledForm(page.fields), true),
  },
];

async function answer(page: PageCall, filled: Filled, isRun: boolean): Promise<PageAnswer> {
  const { call, problems } = readForm(filled);
  const unconfirmed = isRun && call ? confirmationOf(page, call) : {};
  const found = { ...problems, ...unconfirmed };
  const given = isRun && call && Object.keys(found).length === 0 ? await run(page, call) : null;
  return {
    ...(isRun && !given && { status: 400 }),
    page: explorerPage({
      ...page,
      filled,
      call,
      answer: given,
      problems: given ? refusedFields(filled, given) : isRun ? found : {},
      mayRun: mayRun(page, filled),
      nextKey: randomBytes(16, 'idempotency key').toString('hex'),
    }),
  };
}

/** A production tenant is read-only until the person confirms the change. */
function confirmationOf({ session, fields }: PageCall, { operation }: OperationCall): Problems {
  if (session.sandbox || OPERATIONS[operation].method === 'GET' || fields['confirmed'] === 'on') return {};
  return { confirmed: 'This is a production tenant. Confirm the change of its live data.' };
}

/** Rooms decide about a user of a tenant, and the API about a developer, whose key can be replaced. */
function mayRun({ session }: PageCall, { operation }: Filled): boolean {
  const { method, scope } = OPERATIONS[operation];
  if (method !== 'GET' && !mayEnter(session, 'explorer', 'change')) return false;
  return session.kind === 'developer' || scope === null || scopesOfCall(session, operation).includes(scope);
}

async function run(page: PageCall, call: OperationCall): Promise<InsideAnswer> {
  const { idempotencyKey: key } = call;
  return page.call({
    caller: await callerOf(page, call.operation),
    method: OPERATIONS[call.operation].method,
    target: targetOf(call),
    headers: key === null ? {} : { [HEADERS.idempotencyKey]: key },
    body: bodyOf(call),
  });
}

/** Returns the problems that the API found in fields of the form. */
function refusedFields({ asJson }: Filled, { status, body }: InsideAnswer): Problems {
  if (status !== 400) return {};
  const { errors = [] } = (jsonIn(body) ?? {}) as Partial<ErrorBody>;
  return Object.fromEntries(
    errors.map(({ path, message }) => {
      const [field = ''] = path.split('.', 1);
      return [field === '' ? '' : asJson ? 'json' : `in.${field}`, `${path} ${message}.`];
    }),
  );
}
