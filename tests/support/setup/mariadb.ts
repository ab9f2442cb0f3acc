import type { TestProject } from 'vitest/node';
import { startMariadb } from '../mariadb.ts';
import { hasMysql, startMysql } from '../mysql.ts';
import { addressOf, provideServer } from './provide-server.ts';

/** Starts MariaDB and, where this machine has it, the MySQL that prepares statements of stories which run on MariaDB for both. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const stop = await provideServer(project, startMariadb);
  if (!hasMysql()) return stop;
  const mysql = await startMysql();
  project.provide('mysql', addressOf(mysql));
  return async () => void (await Promise.all([stop(), mysql.kill()]));
};
