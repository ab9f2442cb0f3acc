import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { claims } from '../issuer.fixture.ts';
import { base, form, token, viaFetch } from './adapters.fixture.ts';
import { honoLaunch, launchOf } from './hono.ts';

const READERS = ['formData', 'parseBody', 'text', 'arrayBuffer', 'bytes'] as const;

test.each(READERS)('in Hono a form that middleware read by %s is read from the Hono cache', async (read) => {
  const app = new Hono()
    .use(async (context, next) => {
      await context.req[read]();
      await next();
    })
    .post('/launch', honoLaunch({ ...base, onError: () => undefined }), (context) => context.json(launchOf(context)));
  expect(await viaFetch(app.fetch)(form(token))).toMatchObject({ status: 200, body: claims() });
  expect(await viaFetch(app.fetch)(`${form(token)}&${form(token)}`)).toMatchObject({ status: 401 });
});
