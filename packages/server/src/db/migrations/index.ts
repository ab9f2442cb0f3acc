// Generated from the files of this folder by `npm run types`. Do not edit.

import { tenantsAndKeys } from './0001-tenants-and-keys.ts';
import { clients } from './0002-clients.ts';
import { eventsAndWebhooks } from './0003-events-and-webhooks.ts';
import { audit } from './0004-audit.ts';
import { idempotency } from './0005-idempotency.ts';
import { families } from './0006-families.ts';
import { mail } from './0007-mail.ts';
import { jobs } from './0008-jobs.ts';
import { oauth } from './0009-oauth.ts';
import { accounts } from './0010-accounts.ts';
import { developerTokens } from './0011-developer-tokens.ts';
import { launch } from './0012-launch.ts';
import { deliveryForensics } from './0013-delivery-forensics.ts';
import { endpointHealth } from './0014-endpoint-health.ts';
import { webhookReplays } from './0015-webhook-replays.ts';
import { installation } from './0017-installation.ts';
import { requests } from './0018-requests.ts';
import { abuseLimits } from './0019-abuse-limits.ts';
import { mailCountsAndDomainSpaces } from './0020-mail-counts-and-domain-spaces.ts';
import { canonicalAddresses } from './0021-canonical-addresses.ts';
import { oauthGrants } from './0022-oauth-grants.ts';
import { oauthCodes } from './0023-oauth-codes.ts';
import { listIndexes } from './0028-list-indexes.ts';
import { ageIndexes } from './0029-age-indexes.ts';
import { processes } from './0031-processes.ts';
import { eventTraces } from './0032-event-traces.ts';
import { previousApiKeys } from './0034-previous-api-keys.ts';
import { supportKeys } from './0035-support-keys.ts';
import { paymentReferences } from './0036-payment-references.ts';
import { tenantDeletion } from './0037-tenant-deletion.ts';
import { sandboxLocks } from './0038-sandbox-locks.ts';
import { traceJoins } from './0039-trace-joins.ts';
import { deliverySignatures } from './0040-delivery-signatures.ts';
import { grantExchanges } from './0041-grant-exchanges.ts';
import { lastUseOfApps } from './0042-last-use-of-apps.ts';
import { lastUseOfKeys } from './0043-last-use-of-keys.ts';
import { signInsInAudit } from './0044-sign-ins-in-audit.ts';
import { requestBodies } from './0046-request-bodies.ts';
import { installations } from './0048-installations.ts';
import { appWebhooks } from './0049-app-webhooks.ts';
import { masterKeysOfProcesses } from './0050-master-keys-of-processes.ts';
import type { Migration } from './columns.ts';

/** In the order in which they run. */
export const MIGRATIONS: readonly Migration[] = [
  tenantsAndKeys,
  clients,
  eventsAndWebhooks,
  audit,
  idempotency,
  families,
  mail,
  jobs,
  oauth,
  accounts,
  developerTokens,
  launch,
  deliveryForensics,
  endpointHealth,
  webhookReplays,
  installation,
  requests,
  abuseLimits,
  mailCountsAndDomainSpaces,
  canonicalAddresses,
  oauthGrants,
  oauthCodes,
  listIndexes,
  ageIndexes,
  processes,
  eventTraces,
  previousApiKeys,
  supportKeys,
  paymentReferences,
  tenantDeletion,
  sandboxLocks,
  traceJoins,
  deliverySignatures,
  grantExchanges,
  lastUseOfApps,
  lastUseOfKeys,
  signInsInAudit,
  requestBodies,
  installations,
  appWebhooks,
  masterKeysOfProcesses,
];
