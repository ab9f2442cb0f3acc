import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limitConnections } from './connection-limits.ts';

const WRITE_TIMEOUT_MS = 1_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function openConnection() {
  const admit = limitConnections(createServer(), { writeTimeoutMs: WRITE_TIMEOUT_MS });
  const socket = new Socket();
  const reset = vi.spyOn(socket, 'resetAndDestroy').mockReturnValue(socket);
  const setTimeout = vi.spyOn(socket, 'setTimeout').mockReturnValue(socket);
  return {
    reset,
    /** Deadlines without progress that were set. */
    deadlines: () => setTimeout.mock.calls.filter(([ms]) => ms === WRITE_TIMEOUT_MS).length,
    /** A complete response; `emit('close')` stands for the client that has read it. */
    respond(): ServerResponse {
      const request = new IncomingMessage(socket);
      const response = new ServerResponse(request);
      expect(admit(request, response)).toBe('served');
      response.end('x');
      return response;
    },
  };
}

test('each response of a connection has its own deadlines, however closely they follow each other', () => {
  const { respond, reset, deadlines } = openConnection();
  let current = respond();
  for (let taken = 0; taken < 5; taken++) {
    const next = respond();
    vi.advanceTimersByTime(4 * WRITE_TIMEOUT_MS);
    current.emit('close');
    current = next;
  }
  expect(reset).not.toHaveBeenCalled();
  expect(deadlines()).toBe(5);
});

test('a response that its client does not read to the end resets the connection', () => {
  const { respond, reset, deadlines } = openConnection();
  respond();
  vi.advanceTimersByTime(10 * WRITE_TIMEOUT_MS);
  expect(reset).not.toHaveBeenCalled();
  expect(deadlines()).toBe(1);
  vi.advanceTimersByTime(WRITE_TIMEOUT_MS);
  expect(reset).toHaveBeenCalled();
});
