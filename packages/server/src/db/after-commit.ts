import type { Transaction } from 'sequelize';

const waiting = new WeakMap<Transaction, (() => void)[]>();

/** Calls a function once, after the transaction has been committed; never for one that was rolled back. */
export function afterCommit(transaction: Transaction, done: () => void): void {
  const known = waiting.get(transaction);
  if (known) known.push(done);
  else waiting.set(transaction, [done]);
}

/** Calls the functions that wait for the commit of a transaction. */
export function callAfterCommit(transaction: Transaction): void {
  for (const done of waiting.get(transaction) ?? []) done();
}
