import type { TestProject } from 'vitest/node';
import type { DatabaseServer } from '../database-server.ts';

/** Starts the one server of a run and tells the project's files how to reach it; answers how to end it. */
export async function provideServer(
  project: TestProject,
  start: () => Promise<DatabaseServer>,
): Promise<() => Promise<void>> {
  const server = await start();
  const { kind, host, port, user, password } = server;
  project.provide('database', { kind, host, port, user, password });
  // What is in it is thrown away: an orderly shutdown would only take time.
  return () => server.kill();
}
