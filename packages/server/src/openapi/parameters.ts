import { ID_PATTERN, ID_PREFIXES, LIMITS } from '@plat/contract';
import { type JsonSchema, page, pathParameter } from '@plat/contract/schemas';
import type { AnyRoute } from '../http/route.ts';
import { withoutExtensions } from './components.ts';
import type { Parameter, Ref } from './openapi-document.ts';

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes it safe to send the same request again: for 24 hours the first answer is given again, and nothing happens twice.',
  schema: { type: 'string', minLength: 1, maxLength: LIMITS.idempotencyKey.max, pattern: '^[\\x21-\\x7e]+$' },
};

export interface Parameters {
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Parameters of an operation in its path, query and headers. */
  of(route: Pick<AnyRoute, 'operation' | 'query'>): readonly (Parameter | Ref)[];
}

export function createParameters(): Parameters {
  const parameters: Record<string, Parameter> = {};
  const shared = (parameter: Parameter): Ref => {
    parameters[parameter.name] = parameter;
    return { $ref: `#/components/parameters/${parameter.name}` };
  };
  return {
    parameters,
    of: ({ operation, query }) => [
      ...[...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => shared(pathId(name))),
      ...Object.entries(query?.properties ?? {}).map(([name, json]) =>
        Object.values(page).includes(json) ? shared(queryField(name, json)) : queryField(name, json),
      ),
      ...(operation.method === 'POST' ? [shared(IDEMPOTENCY_KEY)] : []),
    ],
  };
}

function queryField(name: string, json: JsonSchema): Parameter {
  const { description = '', ...schema } = withoutExtensions(json);
  return { name, in: 'query', required: false, description, schema };
}

function pathId(name: string): Parameter {
  const { kind, description } = pathParameter(name);
  const schema: JsonSchema =
    kind === null
      ? { type: 'string', minLength: 1, maxLength: LIMITS.email.max }
      : { type: 'string', pattern: `^${ID_PREFIXES[kind]}_${ID_PATTERN}$` };
  return { name, in: 'path', required: true, description, schema };
}
