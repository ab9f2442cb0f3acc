import { EventEmitter } from 'node:events';
import type { Agent } from 'node:http';
import { expect, test } from 'vitest';
import { watchIdle } from './idle-connections.ts';

/** The used parts of an agent: its idle connections, and the event of a connection becoming idle. */
function agentWith(...names: string[]) {
  const destroyed: string[] = [];
  const sockets = names.map((name) => ({ destroy: () => destroyed.push(name) }));
  const agent = Object.assign(new EventEmitter(), { freeSockets: { 'host:80:': sockets } });
  return { agent: agent as unknown as Agent, sockets, destroyed };
}

test('an idle connection is used until it expires', () => {
  let now = 0;
  const { agent, sockets, destroyed } = agentWith('a');
  const idle = watchIdle(agent, 30_000, () => now);
  agent.emit('free', sockets[0]);
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
  idle.learn('timeout=5, max=100');
  agent.emit('free', sockets[0]);
  now = 3999;
  idle.dropExpired();
  expect(destroyed).toEqual([]);
  now = 4000;
  idle.dropExpired();
  expect(destroyed).toEqual(['a']);
});

test("a Keep-Alive longer than the client's time changes nothing", () => {
  let now = 0;
  const { agent, sockets, destroyed } = agentWith('a');
  const idle = watchIdle(agent, 30_000, () => now);
  idle.learn('timeout=600');
  agent.emit('free', sockets[0]);
  now = 30_000;
  idle.dropExpired();
  expect(destroyed).toEqual(['a']);
});

test('if the youngest connection has not expired, the older ones are not checked', () => {
  let now = 0;
  const { agent, sockets, destroyed } = agentWith('old', 'young');
  const idle = watchIdle(agent, 10, () => now);
  agent.emit('free', sockets[0]);
  now = 9;
  agent.emit('free', sockets[1]);
  now = 12;
  idle.dropExpired();
  expect(destroyed).toEqual([]);
  idle.dropAll();
  expect(destroyed).toEqual(['old', 'young']);
});
