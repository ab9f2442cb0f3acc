/*
 * Sequelize reads a stack after each statement on SQLite, even if it has no error. Vitest maps stacks to the sources, which took a
 * sixth of the CPU time of stories. The stack of such a statement keeps the places in the files that run.
 */

const STATEMENT = /sequelize\/lib\/dialects\/sqlite\/query\.js$/;

declare global {
  var mapStack: typeof Error.prepareStackTrace;
}

// Files share a process, and this module runs again for each.
globalThis.mapStack ??= Error.prepareStackTrace;

Error.prepareStackTrace = (error, sites) => {
  const isOfStatement = STATEMENT.test(sites[0]?.getFileName() ?? '');
  if (!isOfStatement && globalThis.mapStack) return globalThis.mapStack(error, sites);
  return [String(error), ...sites].join('\n    at ');
};
