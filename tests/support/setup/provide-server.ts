import type { TestProject } from 'vitest/node';
import type { DatabaseServer, ServerAddress } from '../database-server.ts';

/** Starts the server of a project and passes its address to the test files. Returns the function that stops it. */
export async function provideServer(
  project: TestProject,
  start: () => Promise<DatabaseServer>,
): Promise<() => Promise<void>> {
  const server = await start();
  project.provide('database', addressOf(server));
  // Its data is temporary, so an orderly shutdown would only take time.
  return () => server.kill();
}

/** Returns what may pass to test files: plain data. */
export function addressOf({ kind, host, port, user, password }: DatabaseServer): ServerAddress {
  return { kind, host, port, user, password };
}
