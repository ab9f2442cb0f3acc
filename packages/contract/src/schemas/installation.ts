import { AUDIT_ACTOR_TYPES } from '../objects/audit-event.ts';
import { INSTALLATION_STATES, REVOKED_REASONS } from '../objects/oauth.ts';
import { ALL_SCOPES } from '../scopes.ts';
import { answer, inline, nullable, page, params } from './objects.ts';
import { anyId, id, time } from './texts.ts';
import { always, array, oneOf } from './values.ts';

const fields = {
  object: always('installation'),
  id: id('grant', 'Id of the installation: the grant, whose tokens form one family.'),
  app_id: id('app'),
  tenant_id: id('tenant', 'Id of the tenant that consented.'),
  scopes: array(oneOf('Scope', ALL_SCOPES, 'A scope.'), 'Scopes that the tenant granted.', {
    example: ['clients:read'],
  }),
  state: oneOf(
    'InstallationState',
    INSTALLATION_STATES,
    'State of the installation. `pending`: the code is not exchanged yet. `suspended`: the tenant is suspended.',
    'active',
  ),
  granted_by: id('user', 'Id of the user who gave the consent.'),
  granted_at: time('Time of the consent.'),
  last_used_at: nullable(time('Time at which the app last received tokens; null if it never has.')),
  expires_at: time('Time at which the installation ends, or ended.'),
  revoked_reason: nullable(
    oneOf('RevokedReason', REVOKED_REASONS, 'Reason for which the installation was revoked; null otherwise.'),
    null,
  ),
};

export const installation = answer(
  'Installation',
  'The access of an OAuth app to one tenant: a grant with its state.',
  fields,
);

export const revokedInstallation = answer('RevokedInstallation', 'An installation that was revoked.', {
  ...fields,
  revoked_by: inline('The actor that revoked it, or whose request caused the end.', {
    type: oneOf('AuditActorType', AUDIT_ACTOR_TYPES, 'Kind of the actor. `oauth_app`: the app itself.', 'user'),
    id: nullable(anyId('Id of the actor; null for the operator and the system.')),
  }),
});

export const scopeChangedInstallation = answer(
  'ScopeChangedInstallation',
  'An installation that replaced one of the same tenant with other scopes.',
  {
    ...fields,
    previous_id: id('grant', 'Id of the former installation.'),
    previous_scopes: array(oneOf('Scope', ALL_SCOPES, 'A scope.'), 'Scopes of the former installation.', {
      example: ['me:read'],
    }),
  },
);

export const installationList = params('InstallationListParams', 'Filters and paging for the list of installations.', {
  ...page,
  state: oneOf('InstallationState', INSTALLATION_STATES, 'Only installations in this state.'),
  tenant_id: id('tenant', 'Only installations of this tenant.'),
});
