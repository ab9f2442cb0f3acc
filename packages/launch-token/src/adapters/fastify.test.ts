import { runInNewContext } from 'node:vm';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { base, FORM, form, token } from './adapters.fixture.ts';
import { fastifyLaunch } from './fastify.ts';

test('an invalid handler is refused at creation', () => {
  expect(() => Reflect.apply(fastifyLaunch, undefined, [base])).toThrow('function that answers a launch');
});

test('bytes of another realm are read: a test runner gives programs their own Uint8Array', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  app.addHook('preValidation', async (request) => {
    request.body = runInNewContext('Uint8Array.from(bytes)', { bytes: [...Buffer.from(form(token))] });
  });
  await app.register(fastifyLaunch(base, (_request, reply) => reply.send({ isAccepted: true })));
  const headers = { 'content-type': FORM };
  const answer = await app.inject({ method: 'POST', url: '/', headers, payload: form(token) });
  expect(answer.json()).toEqual({ isAccepted: true });
});
