import { Agent, get } from 'node:http';
import { fetchTransport, Platform } from '@plat/sdk';
import { OpenAI } from 'openai';
import { Stripe } from 'stripe';
import type { Contestant } from '../lib/rounds.ts';
import { callAsyncFor, type Sample } from '../lib/sample.ts';

export const API_KEY = `plat_test_${'x'.repeat(49)}`;

/** Names between which ratios are formed. */
export const NAMES = {
  ours: '@plat/sdk',
  onFetch: '@plat/sdk on fetch',
  bare: 'bare node:http agent',
  fetch: 'bare fetch',
  needed: 'fetch with what a client needs',
  stripe: 'stripe',
} as const;

/** Reads one object and returns it parsed. */
type Call = () => Promise<unknown>;

/** Clients that read one object of about 250 bytes from the server at `port`. */
export function calls(port: number): ReadonlyMap<string, Call> {
  const platform = new Platform({ apiKey: API_KEY, baseUrl: `http://127.0.0.1:${port}` });
  const onFetch = platform.withOptions({ transport: fetchTransport() });
  const stripe = new Stripe(API_KEY, { host: '127.0.0.1', port, protocol: 'http', telemetry: false });
  const openai = new OpenAI({ apiKey: API_KEY, baseURL: `http://127.0.0.1:${port}/v1` });
  const id = 'cli_01k9zq3v5h6x8m2n4p7r000001';
  return new Map<string, Call>([
    [NAMES.ours, () => platform.clients.get(id)],
    [NAMES.onFetch, () => onFetch.clients.get(id)],
    [NAMES.bare, bareHttp(port, `/v1/clients/${id}`)],
    [NAMES.fetch, bareFetch(`http://127.0.0.1:${port}/v1/clients/${id}`)],
    [NAMES.needed, neededFetch(`http://127.0.0.1:${port}/v1/clients/${id}`)],
    [NAMES.stripe, () => stripe.customers.retrieve(id)],
    ['openai', () => openai.models.retrieve(id)],
  ]);
}

export function contestants(port: number, parallel: number, ms: number): Contestant<Sample>[] {
  return [...calls(port)].map(([name, call]) => ({ name, sample: () => callAsyncFor(ms, parallel, call) }));
}

/** The minimum with Node's own client: one agent, the credential, the response read and parsed. */
function bareHttp(port: number, path: string): Call {
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${API_KEY}`, accept: 'application/json' };
  return () =>
    new Promise((resolve, reject) => {
      const request = get({ agent, host: '127.0.0.1', port, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
        response.on('error', reject);
      });
      request.on('error', reject);
    });
}

/** Every option of `fetch` that a client needs: it can be aborted, follows no redirect, names itself, and reads the headers. */
function neededFetch(url: string): Call {
  const headers = {
    authorization: `Bearer ${API_KEY}`,
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'bench',
  };
  return async () => {
    const { signal } = new AbortController();
    const response = await fetch(url, { headers, redirect: 'manual', signal });
    const read = new Map<string, string>();
    response.headers.forEach((value, name) => {
      read.set(name, value);
    });
    return JSON.parse(await response.text());
  };
}

function bareFetch(url: string): Call {
  const headers = { authorization: `Bearer ${API_KEY}`, accept: 'application/json' };
  return async () => (await fetch(url, { headers })).json();
}
