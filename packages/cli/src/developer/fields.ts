import { type DeveloperOperationName, type DeveloperOperationTypes, LIMITS, type Scope } from '@plat/contract';
import { type AnyField, type Fields, integer, nullable, openTexts, required, text } from '../command/field.ts';

const name = text('what people who are asked for consent know the app by');
const website = nullable(text('where people can read about it', 'url'));
const redirectUris = openTexts<string>('where people are sent back to, byte for byte', 'url');
const scopes = openTexts<Scope>('the most that the app may ask for', 'scope');

/** Operation → the fields of its body. The compiler asks for every field of every operation. */
const FIELDS: DeveloperFields = {
  'keys.mint': { scopes: openTexts<Scope>('what the key may do; all when absent', 'scope') },
  'apps.register': {
    name: required(name),
    redirect_uris: required(redirectUris),
    scopes: required(scopes),
    website,
  },
  'apps.update': { name, redirect_uris: redirectUris, scopes, website },
  'apps.rotate_secret': {
    expires_in: integer(
      `seconds that the old secret goes on working too, up to ${LIMITS.app.secretOverlapSeconds}; 0 when absent`,
      'seconds',
    ),
  },
  'launch_tokens.mint': {
    module: required(text('slug of the module', 'slug')),
    client_id: text("client that the user goes into; the user's, or the oldest one, when absent", 'client_id'),
    user_id: text('who is launched; the owner of the sandbox when absent', 'user_id'),
    group_id: text('group that is selected', 'group_id'),
  },
};

/** Path parameter → what it is. */
export const DEVELOPER_PARAMETERS: Readonly<Record<Parameter, string>> = {
  token_id: 'id of the login (dvt_…), or current',
  app_id: 'id of the app (app_…)',
  consent_id: 'id of the consent (gra_…)',
};

/** The fields of an operation with their names, in the order of the table. */
export function developerFieldsOf(
  operation: DeveloperOperationName,
): readonly (readonly [name: string, field: AnyField])[] {
  const all: { readonly [N in DeveloperOperationName]?: Readonly<Record<string, AnyField>> } = FIELDS;
  return Object.entries(all[operation] ?? {});
}

type BodyOf<N extends DeveloperOperationName> = DeveloperOperationTypes[N]['body'];
type DeveloperFields = {
  readonly [N in DeveloperOperationName as [BodyOf<N>] extends [never] ? never : N]: Fields<BodyOf<N>>;
};
type Parameter = {
  [N in DeveloperOperationName]: keyof DeveloperOperationTypes[N]['path'];
}[DeveloperOperationName];
