import { DEVICE_PATHS, type DeviceCodeResponse } from '@plat/contract';
import { selectOne, type TestServer, type TestSession } from '@plat/server/testing';
import { type Api, apiOf } from './api.ts';

/** A developer with a sandbox, signed in to the console. */
export interface SignedInDeveloper {
  readonly id: string;
  readonly email: string;
  readonly tenantId: string;
  /** API key of the sandbox. */
  readonly apiKey: string;
  readonly session: TestSession;
}

export async function signedInDeveloper(server: TestServer): Promise<SignedInDeveloper> {
  const { tenantId, apiKey } = await server.createSandbox();
  const sql = 'SELECT id, email FROM developers WHERE tenant_id = :tenantId';
  const row = await selectOne<{ id: string; email: string }>(server.db, sql, { tenantId });
  if (!row) throw new Error('a sandbox has a developer');
  return { ...row, tenantId, apiKey, session: await server.signInDeveloper(row.id) };
}

/** Response of a login endpoint. Its refusals also have the fields of RFC 8628. */
// biome-ignore lint/suspicious/noExplicitAny: a story reads what the server says, and asserts on it
export type DeviceAnswer = { readonly status: number; readonly headers: Headers; readonly body: any };

export async function postDevice(
  server: Pick<TestServer, 'baseUrl'>,
  path: string,
  body: object,
): Promise<DeviceAnswer> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(server.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export async function beginLogin(server: TestServer, clientName = 'plat on laptop'): Promise<DeviceCodeResponse> {
  return (await postDevice(server, DEVICE_PATHS.code, { client_name: clientName })).body;
}

export function poll(server: TestServer, deviceCode: string): Promise<DeviceAnswer> {
  return postDevice(server, DEVICE_PATHS.token, { device_code: deviceCode });
}

/** Response of the page where a developer approves logins. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export async function openApproval(server: TestServer, session: TestSession | null, query = ''): Promise<PageAnswer> {
  return read(
    await fetch(`${server.baseUrl}/console/cli${query}`, {
      redirect: 'manual',
      headers: { accept: 'text/html', ...(session ? { cookie: session.cookie } : {}) },
    }),
  );
}

/** Approves or denies a login on the page. Resolves to the resulting page. */
export async function answerLogin(
  server: TestServer,
  { cookie, csrfToken }: TestSession,
  userCode: string,
  answer: 'approve' | 'deny' = 'approve',
): Promise<PageAnswer> {
  const answered = await read(
    await fetch(`${server.baseUrl}/console/cli`, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'text/html', cookie, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ _csrf: csrfToken, user_code: userCode, answer }),
    }),
  );
  const session = { cookie, csrfToken };
  return answered.status === 303
    ? openApproval(server, session, new URL(answered.headers.get('location') ?? '', server.baseUrl).search)
    : answered;
}

/** Logs a command line in. */
export async function login(server: TestServer, { session }: SignedInDeveloper): Promise<{ token: string; api: Api }> {
  const { device_code, user_code } = await beginLogin(server);
  await answerLogin(server, session, user_code);
  const { body } = await poll(server, device_code);
  return { token: body.access_token, api: apiOf(server.baseUrl, body.access_token) };
}

async function read(response: Response): Promise<PageAnswer> {
  return { status: response.status, headers: response.headers, text: await response.text() };
}
