import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { hasPythonModules, isRequired, PYTHON } from './find-servers.ts';
import { guard } from './guard.ts';
import type { ClientTokens, OAuthClient, OpenClient } from './oauth-clients/client.ts';

/** Returns true if Debian's python3-authlib and python3-requests-oauthlib are installed or required. */
export const hasPythonClients = (): boolean =>
  isRequired('python_oauth') || hasPythonModules('authlib', 'requests_oauthlib');

/** Returns true if Debian's python3-jwt is installed with the cryptography for RS256, or required. */
export const hasPyJwt = (): boolean => isRequired('python_jwt') || hasPythonModules('jwt', 'cryptography');

/** An exception of a library with its type. */
class PythonError extends Error {
  readonly error: string;
  readonly type: string | null;

  constructor({ error, type }: { readonly error: string; readonly type: string | null }) {
    super(`${type}: ${error}`);
    this.error = error;
    this.type = type;
  }
}

interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** A client in a Python process. */
export function pythonClient(
  library: 'authlib client_secret_basic' | 'authlib client_secret_post' | 'requests-oauthlib',
): OpenClient {
  return ({ baseUrl, app, scopes }) => {
    const script = fileURLToPath(new URL('oauth-clients/clients.py', import.meta.url));
    const args = [script, library, baseUrl, app.appId, app.clientSecret, app.redirectUri, scopes.join(' ')];
    const child = spawn(PYTHON, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const release = guard(child.pid ?? 0);
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();

    const ask = async <T>(verb: string, ...values: string[]): Promise<T> => {
      child.stdin.write(`${JSON.stringify({ do: verb, with: values })}\n`);
      const { value: line, done } = await lines.next();
      if (done) throw new Error(`${library} ended`);
      const answer = JSON.parse(line);
      if ('error' in answer) throw new PythonError(answer);
      return answer.ok;
    };
    const client: OAuthClient = {
      begin: () => ask('begin'),
      finish: async (callback) => tokensOf(await ask('finish', callback)),
      me: (accessToken) => ask('me', accessToken),
      refresh: async (refreshToken) => tokensOf(await ask('refresh', refreshToken)),
      errorOf: (thrown) => (thrown instanceof PythonError && thrown.type !== null ? thrown.error : undefined),
      async close() {
        child.stdin.end();
        await ended;
        release();
      },
    };
    if (library === 'requests-oauthlib') return client;
    return {
      ...client,
      introspect: (accessToken) => ask('introspect', accessToken),
      revoke: ({ refreshToken }) => ask('revoke', refreshToken),
    };
  };
}

function tokensOf({ access_token, refresh_token }: TokenAnswer): ClientTokens {
  return { accessToken: access_token, refreshToken: refresh_token };
}
