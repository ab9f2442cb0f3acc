import { describe, expect, test } from 'vitest';
import { refusedForms, shapeOf } from '../support/sharded-sql.ts';

/** Form → a statement with it, and one beside it that is taken. */
const EXAMPLES: Readonly<Record<string, readonly [refused: string, taken: string]>> = {
  'stored program': ['CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW SET x = 1', 'CREATE TABLE a (id INT)'],
  'foreign key': ['ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES c (id)', 'ALTER TABLE a ADD COLUMN foreign_id INT'],
  'full text or spatial index': ['CREATE TABLE a (b TEXT, FULLTEXT KEY c (b))', 'CREATE INDEX c ON a (b)'],
  'CREATE TABLE … SELECT': ['CREATE TABLE a AS SELECT * FROM b', 'CREATE TABLE a (id INT)'],
  'LOCK TABLES': ['LOCK TABLES a WRITE', 'SELECT 1'],
  XA: ["XA START 'a'", 'START TRANSACTION'],
  HANDLER: ['HANDLER a OPEN', 'SELECT 1'],
  'CHECK, CHECKSUM, REPAIR or OPTIMIZE TABLE': ['OPTIMIZE TABLE a', 'ANALYZE TABLE a'],
  'LOAD DATA': ["LOAD DATA INFILE 'a' INTO TABLE b", 'INSERT INTO b (c) VALUES (1)'],
  REPLACE: ['REPLACE INTO a (b) VALUES (1)', 'INSERT INTO a (b) VALUES (1) ON DUPLICATE KEY UPDATE b = 2'],
  'UPDATE of several tables': ['UPDATE a, b SET a.c = 1 WHERE a.id = b.id', 'UPDATE a SET c = 1 WHERE id = ?'],
  'DELETE from several tables': ['DELETE a FROM a JOIN b ON a.id = b.id', 'DELETE FROM a WHERE id IN (1, 2)'],
  'change of the shard column': [
    "UPDATE a SET tenant_id = 'x' WHERE id = 1",
    'UPDATE a SET b = tenant_id WHERE id = 1',
  ],
  'UPDATE or DELETE with LIMIT': ['DELETE FROM a WHERE b = 1 LIMIT 10', 'SELECT b FROM a LIMIT 10'],
  'subquery in UPDATE or DELETE': [
    'DELETE FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.id = a.id)',
    'SELECT 1 FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.id = a.id)',
  ],
  'NATURAL JOIN': ['SELECT a.b FROM a NATURAL JOIN c', 'SELECT a.b FROM a JOIN c ON c.id = a.id'],
  'JOIN … USING': ['SELECT a.b FROM a JOIN c USING (id)', 'SELECT a.b FROM a LEFT JOIN c ON c.id = a.id'],
  'WITH ROLLUP': ['SELECT a FROM b GROUP BY a WITH ROLLUP', 'SELECT a FROM b GROUP BY a'],
  'SELECT … INTO': ['SELECT a INTO @b FROM c', 'INSERT INTO a (b) SELECT c FROM d WHERE e = ?'],
  RETURNING: ['DELETE FROM a WHERE b = 1 RETURNING c', 'DELETE FROM a WHERE b = 1'],
  'named lock': ["SELECT GET_LOCK('a', 1)", "SELECT CONCAT('a', 'b')"],
};

describe.each(Object.entries(EXAMPLES))('%s', (form, [refused, taken]) => {
  test('is found, and a statement beside it is taken', () => {
    expect(refusedForms(refused)).toContain(form);
    expect(refusedForms(taken)).toEqual([]);
  });
});

test('a statement that cannot be parsed is an error', () => {
  expect(() => refusedForms('SELECT FROM WHERE')).toThrow();
});

test('statements that differ in values and numbers of rows have one shape', () => {
  const shapes = [
    "SELECT a FROM b FORCE INDEX (c) WHERE d = 'x''y' AND e IN (1, 2)",
    "SELECT a FROM b FORCE INDEX (c) WHERE d = 'z' AND e IN (3)",
  ].map(shapeOf);
  expect(new Set(shapes).size).toBe(1);
  expect(shapeOf("(SELECT 1 FROM a WHERE b = 'c') UNION ALL (SELECT 1 FROM a WHERE b = 'd')")).toBe(
    "(SELECT 1 FROM a WHERE b = 'x')",
  );
  const nested = 'SELECT CASE WHEN a = 1 THEN (SELECT CASE WHEN b = 1 THEN 1 ELSE 2 END FROM c) ELSE 1 END FROM d';
  expect(refusedForms(shapeOf(nested))).toEqual([]);
  expect(refusedForms(shapeOf("INSERT INTO a (b, c) VALUES (1, 'x'), (2, 'y')"))).toEqual([]);
});
