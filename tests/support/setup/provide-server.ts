import type { TestProject } from 'vitest/node';
import type { DatabaseServer } from '../database-server.ts';

/** Starts the server of a project and passes its address to the test files. Returns the function that stops it. */
export async function provideServer(
  project: TestProject,
  start: () => Promise<DatabaseServer>,
): Promise<() => Promise<void>> {
  const server = await start();
  const { kind, host, port, user, password } = server;
  project.provide('database', { kind, host, port, user, password });
  // Its data is temporary, so an orderly shutdown would only take time.
  return () => server.kill();
}
