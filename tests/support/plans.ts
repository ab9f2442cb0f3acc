import { captureStatements, select, type TestServer } from '@plat/server/testing';

/** A full scan of a table or an index, or sorting: what no statement of a request may need. */
export const BAD_PLAN = /filesort|temporary|SCAN |TEMP B-TREE|"type":"(ALL|index)"/;

/** The statements that a call takes, those of the look-up of its key among them, each with its plan. */
export async function plansOf(
  { db }: TestServer,
  call: () => Promise<unknown>,
): Promise<readonly (readonly [statement: string, plan: string])[]> {
  const statements = (await captureStatements(db, call)).filter((statement) =>
    /^(SELECT|UPDATE|DELETE)/.test(statement),
  );
  // MySQL explains in a form of its own unless told otherwise, which MariaDB cannot be.
  const explain = { sqlite: 'EXPLAIN QUERY PLAN', mysql: 'EXPLAIN FORMAT=TRADITIONAL', mariadb: 'EXPLAIN' }[db.kind];
  return Promise.all(
    statements.map(
      async (statement) => [statement, JSON.stringify(await select(db, `${explain} ${statement}`))] as const,
    ),
  );
}
