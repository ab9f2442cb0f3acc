/** The part of `node:diagnostics_channel` that the client uses. */
interface Channel {
  readonly hasSubscribers: boolean;
  publish(message: unknown): void;
}

interface Builtins {
  getBuiltinModule?(name: 'node:diagnostics_channel'): { channel(name: string): Channel } | undefined;
}

const PREFIX = 'plat:sdk:';

/** Held here, because Node drops a channel that nothing refers to. */
const channels = new Map<string, Channel>();

/**
 * Returns the diagnostics channel of a hook, for example `plat:sdk:request` for `onRequest`; undefined in runtimes
 * without `node:diagnostics_channel`.
 */
export function channelOf(hook: string): Channel | undefined {
  const known = channels.get(hook);
  if (known || !diagnostics) return known;
  const name = hook.charAt(2).toLowerCase() + hook.slice(3);
  const channel = diagnostics.channel(PREFIX + name);
  channels.set(hook, channel);
  return channel;
}

const diagnostics = findDiagnostics();

/** A static import would fail in browsers and at the edge. */
function findDiagnostics() {
  try {
    const { process } = globalThis as { readonly process?: Builtins };
    return process?.getBuiltinModule?.('node:diagnostics_channel');
  } catch {
    return undefined;
  }
}
