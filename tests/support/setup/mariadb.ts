import type { TestProject } from 'vitest/node';
import { startMariadb } from '../mariadb.ts';
import { provideServer } from './provide-server.ts';

export default (project: TestProject): Promise<() => Promise<void>> => provideServer(project, startMariadb);
