import { ID_PREFIXES, type IdKind } from '../ids.ts';

/** A parameter of a path. */
export interface PathParameter {
  /** Kind of the id; null if the parameter accepts other text than ids of one kind. */
  readonly kind: IdKind | null;
  /** Description in one sentence. */
  readonly description: string;
}

/** Parameters whose kind or description does not follow from their name. */
const PARAMETERS: Readonly<Record<string, PathParameter>> = {
  endpoint_id: idOf('webhook_endpoint'),
  delivery_id: { kind: 'webhook_delivery', description: 'Id of the delivery attempt.' },
  replay_id: { kind: 'webhook_replay', description: 'Id of the replay.' },
  request_id: { kind: 'request', description: 'Id of the request, as in errors and the header `X-Request-Id`.' },
  token_id: { kind: 'developer_token', description: 'Id of the login.' },
  installation_id: { kind: 'grant', description: 'Id of the installation.' },
  consent_id: { kind: 'grant', description: 'Id of the consent.' },
  id: {
    kind: null,
    description: 'An id of any kind, the e-mail address of a user, or the slug of a client or group.',
  },
};

/** Returns the parameter of a path by its name, such as `client_id`. @throws Error for a name without a kind of id */
export function pathParameter(name: string): PathParameter {
  return PARAMETERS[name] ?? idOf(name.replace(/_id$/, ''));
}

function idOf(kind: string): PathParameter {
  if (!isKind(kind)) throw new Error(`No kind of id is known for the path parameter ${kind}_id`);
  return { kind, description: `Id of the ${kind.replaceAll('_', ' ')}.` };
}

function isKind(name: string): name is IdKind {
  return Object.hasOwn(ID_PREFIXES, name);
}
