import { OPERATIONS, type OperationName } from '@plat/contract';
import type { Engine } from '../call/engine.ts';
import { operationMethod } from './operation.ts';
import type { OperationMethod } from './operation-method.ts';

/**
 * Creates the methods of all operations, each at the place that its name determines: `webhooks.endpoints.rotate_secret`
 * becomes `webhooks.endpoints.rotateSecret`.
 */
export function createResources(engine: Engine): Methods {
  const resources: Tree = {};
  for (const operation of OPERATION_NAMES) {
    const words = operation.split('.').map(toCamel);
    const verb = words.pop() ?? '';
    const family = words.reduce<Tree>((parent, word) => {
      const child = parent[word] ?? {};
      parent[word] = child;
      return child as Tree;
    }, resources);
    family[verb] = operationMethod(engine, operation);
  }
  // The type is derived from the same names and rows of the contract.
  return resources as Methods;
}

/** The methods of all operations. Their generated interfaces document them. */
type Methods = MethodsBelow<''>;

interface Tree {
  [name: string]: Tree | ((...args: unknown[]) => unknown);
}

const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[];

function toCamel(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The tree of methods under a prefix: `''` for all, `webhooks.` for a family. */
type MethodsBelow<P extends string> = {
  readonly [W in WordBelow<P> as Camel<W>]: `${P}${W}` extends infer N extends OperationName
    ? OperationMethod<N>
    : MethodsBelow<`${P}${W}.`>;
};

/** The words that follow a prefix in the names of operations. */
type WordBelow<P extends string, N = OperationName> = N extends `${P}${infer Rest}`
  ? Rest extends `${infer Word}.${string}`
    ? Word
    : Rest
  : never;

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;
