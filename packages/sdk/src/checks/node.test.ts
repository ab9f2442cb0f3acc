import { expect, test, vi } from 'vitest';
import { thisProcess } from '../oauth/this-process.ts';
import { nodeTransport } from '../transport/node.ts';

test('the edge runtime of Next.js has no modules of Node: its functions of process throw', () => {
  const getBuiltinModule = () => {
    throw new Error('A Node.js API is used');
  };
  vi.stubGlobal('EdgeRuntime', 'edge-runtime');
  vi.stubGlobal('process', { getBuiltinModule });
  try {
    expect(thisProcess()).toBe('another process');
    expect(() => nodeTransport()).toThrow(/leave the transport out to use fetch/);
  } finally {
    vi.unstubAllGlobals();
  }
});
