import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { stateFiles } from './state-files.ts';

test('the id of a tenant, which the server sends, leads to no other folder', () => {
  const io = { env: { XDG_STATE_HOME: '/state' }, cwd: '/' };
  const route = { baseUrl: 'https://api.example', sourceId: '../../x/tnt_1', to: 'http://localhost:3000/' };
  const { cursor, secret } = stateFiles(io, route, { cursorFile: undefined, secretFile: undefined });
  expect([dirname(cursor), dirname(secret)]).toEqual(['/state/plat/listen', '/state/plat/listen']);
  expect(cursor).toMatch(/______x_tnt_1-[0-9a-f]{16}\.cursor$/);
});

test('a server, a tenant and a target have their own files', () => {
  const io = { env: { XDG_STATE_HOME: '/state' }, cwd: '/' };
  const route = { baseUrl: 'https://api.example', sourceId: 'tnt_1', to: 'http://localhost:3000/' };
  const cursorOf = (change: Partial<typeof route>) =>
    stateFiles(io, { ...route, ...change }, { cursorFile: undefined, secretFile: undefined }).cursor;
  const others = [{ baseUrl: 'https://b.example' }, { sourceId: 'tnt_2' }, { to: 'http://localhost:3001/' }];
  expect(new Set([{}, ...others].map(cursorOf)).size).toBe(4);
  expect(cursorOf({ baseUrl: 'https://API.example:443/' })).toBe(cursorOf({}));
});
