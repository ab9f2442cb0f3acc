import { captureStatements, select, type TestServer } from '@plat/server/testing';

/** Signs of a full scan or of sorting, which no statement of a request may need. */
export const BAD_PLAN = /filesort|temporary|SCAN |TEMP B-TREE|"type":"(ALL|index)"/;

/** Returns the statements of a call, credential look-up included, each with its plan. */
export async function plansOf(
  { db }: TestServer,
  call: () => Promise<unknown>,
): Promise<readonly (readonly [statement: string, plan: string])[]> {
  const statements = (await captureStatements(db, call)).filter((statement) =>
    /^\(?(SELECT|UPDATE|DELETE)/.test(statement),
  );
  // MySQL prints another format by default; MariaDB does not accept the option.
  const explain = { sqlite: 'EXPLAIN QUERY PLAN', mysql: 'EXPLAIN FORMAT=TRADITIONAL', mariadb: 'EXPLAIN' }[db.kind];
  return Promise.all(
    statements.map(
      async (statement) => [statement, JSON.stringify(await select(db, `${explain} ${statement}`))] as const,
    ),
  );
}
