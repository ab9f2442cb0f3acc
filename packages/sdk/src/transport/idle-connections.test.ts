import { Agent } from 'node:http';
import { expect, test, vi } from 'vitest';
import { skipKeepAliveHeader, watchIdle } from './idle-connections.ts';

/** The used part of an agent: its idle connections, by name. */
function agentWith<Name extends string>(...names: Name[]) {
  const destroyed: string[] = [];
  const entries = names.map((name) => [name, { destroy: () => destroyed.push(name) }]);
  const sockets = Object.fromEntries(entries) as Record<Name, object>;
  const agent = { freeSockets: { 'host:80:': Object.values(sockets) } };
  return { agent: agent as unknown as Agent, sockets, destroyed };
}

test('an idle connection is used until it expires', () => {
  let now = 0;
  const { agent, sockets, destroyed } = agentWith('a');
  const idle = watchIdle(agent, 30_000, () => now);
  idle.learn(null, sockets.a);
  now = 29_999;
  idle.dropExpired();
  expect(destroyed).toEqual([]);
  now = 30_000;
  idle.dropExpired();
  expect(destroyed).toEqual(['a']);
});

test("the server's Keep-Alive shortens the time, less a second for the network", () => {
  let now = 0;
  const { agent, sockets, destroyed } = agentWith('a');
  const idle = watchIdle(agent, 30_000, () => now);
  idle.learn('timeout=5, max=100', sockets.a);
  now = 3999;
  idle.dropExpired();
  expect(destroyed).toEqual([]);
  now = 4000;
  idle.dropExpired();
  expect(destroyed).toEqual(['a']);
});

test('a later response without Keep-Alive restores the time', () => {
  let now = 0;
  const { agent, sockets, destroyed } = agentWith('a');
  const idle = watchIdle(agent, 30_000, () => now);
  idle.learn('timeout=5', sockets.a);
  idle.learn(null, sockets.a);
  now = 29_999;
  idle.dropExpired();
  expect(destroyed).toEqual([]);
});

test("a Keep-Alive longer than the client's time changes nothing", () => {
  let now = 0;
  const { agent, sockets, destroyed } = agentWith('a');
  const idle = watchIdle(agent, 30_000, () => now);
  idle.learn('timeout=600', sockets.a);
  now = 30_000;
  idle.dropExpired();
  expect(destroyed).toEqual(['a']);
});

test('if the youngest connection has not expired, the older ones are not checked', () => {
  let now = 0;
  const { agent, sockets, destroyed } = agentWith('old', 'young');
  const idle = watchIdle(agent, 10, () => now);
  idle.learn(null, sockets.old);
  now = 9;
  idle.learn(null, sockets.young);
  now = 12;
  idle.dropExpired();
  expect(destroyed).toEqual([]);
  idle.dropAll();
  expect(destroyed).toEqual(['old', 'young']);
});

test('an idle connection does not keep the process running', () => {
  const agent = new Agent({ keepAlive: true });
  skipKeepAliveHeader(agent);
  const socket = { setKeepAlive: vi.fn(), unref: vi.fn() };
  expect(Reflect.apply(Reflect.get(agent, 'keepSocketAlive'), agent, [socket])).toBe(true);
  expect(socket.unref).toHaveBeenCalledOnce();
});
