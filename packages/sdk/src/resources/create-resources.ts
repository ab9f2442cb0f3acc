import type { Engine } from '../call/engine.ts';
import { operationMethod } from './operation.ts';
import type { OperationMethod } from './operation-method.ts';
import type { AnyTable, OperationTable, Rows, TypesFor } from './operation-table.ts';

/**
 * Creates the methods of all operations of an API, each at the place that its name determines:
 * `webhooks.endpoints.rotate_secret` becomes `webhooks.endpoints.rotateSecret`.
 */
export function createResources<R extends Rows, T extends TypesFor<R>>(
  engine: Engine,
  table: OperationTable<R, T>,
): MethodsBelow<'', R, T> {
  const resources: Tree = {};
  for (const [operation, info] of Object.entries(table.operations)) {
    const words = operation.split('.').map(toCamel);
    const verb = words.pop() ?? '';
    const family = words.reduce<Tree>((parent, word) => {
      const child = parent[word] ?? {};
      parent[word] = child;
      return child as Tree;
    }, resources);
    // The names of a table are text.
    family[verb] = operationMethod(engine, table as AnyTable, operation, info);
  }
  // The type is derived from the same names and rows of the contract.
  return resources as MethodsBelow<'', R, T>;
}

interface Tree {
  [name: string]: Tree | ((...args: unknown[]) => unknown);
}

function toCamel(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The tree of methods under a prefix: `''` for all, `webhooks.` for a family. Generated interfaces document them. */
type MethodsBelow<P extends string, R extends Rows, T extends TypesFor<R>> = {
  readonly [W in WordBelow<P, keyof R> as Camel<W>]: `${P}${W}` extends infer N extends keyof R
    ? OperationMethod<R[N], T[N]>
    : MethodsBelow<`${P}${W}.`, R, T>;
};

/** The words that follow a prefix in the names of operations. */
type WordBelow<P extends string, N> = N extends `${P}${infer Rest}`
  ? Rest extends `${infer Word}.${string}`
    ? Word
    : Rest
  : never;

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;
