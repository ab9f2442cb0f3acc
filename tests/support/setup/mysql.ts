import type { TestProject } from 'vitest/node';
import { startMysql } from '../mysql.ts';
import { provideServer } from './provide-server.ts';

export default (project: TestProject): Promise<() => Promise<void>> => provideServer(project, startMysql);
