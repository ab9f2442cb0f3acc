// Generated from the files of this folder by `npm run types`. Do not edit.

import { API_KEYS } from './api-keys.ts';
import { AUDIT_EVENTS } from './audit-events.ts';
import { CLIENT_GROUPS } from './client-groups.ts';
import { CLIENT_LIMITS } from './client-limits.ts';
import { CLIENTS } from './clients.ts';
import { DELETED_CLIENTS } from './deleted-clients.ts';
import { DEVELOPER_TOKENS } from './developer-tokens.ts';
import { DEVELOPERS } from './developers.ts';
import { DEVICE_LOGINS } from './device-logins.ts';
import { DISPATCHERS } from './dispatchers.ts';
import { EVENTS } from './events.ts';
import { GROUP_MEMBERS } from './group-members.ts';
import { GROUP_OWNERS } from './group-owners.ts';
import { IDEMPOTENCY_KEYS } from './idempotency-keys.ts';
import { INSTALLATION } from './installation.ts';
import { INVOICES } from './invoices.ts';
import { JOB_LEASES } from './job-leases.ts';
import { LOCATIONS } from './locations.ts';
import { MAIL_COUNTS } from './mail-counts.ts';
import { MAILS } from './mails.ts';
import { MODULES } from './modules.ts';
import { OAUTH_ACCESS_TOKENS } from './oauth-access-tokens.ts';
import { OAUTH_APPS } from './oauth-apps.ts';
import { OAUTH_GRANTS } from './oauth-grants.ts';
import { OAUTH_REFRESH_TOKENS } from './oauth-refresh-tokens.ts';
import { PAYMENTS } from './payments.ts';
import { PLANS } from './plans.ts';
import { PREVIOUS_API_KEYS } from './previous-api-keys.ts';
import { PROCESSES } from './processes.ts';
import { REQUEST_BODIES } from './request-bodies.ts';
import { REQUESTS } from './requests.ts';
import { ROLES } from './roles.ts';
import { SANDBOX_LOCKS } from './sandbox-locks.ts';
import { SESSIONS } from './sessions.ts';
import { SETTINGS } from './settings.ts';
import { SHARD_LEASES } from './shard-leases.ts';
import { SIGN_IN_LINKS } from './sign-in-links.ts';
import { SIGNING_KEYS } from './signing-keys.ts';
import { SUPPORT_KEYS } from './support-keys.ts';
import { TENANTS } from './tenants.ts';
import { USERS } from './users.ts';
import { WEBHOOK_DELIVERIES } from './webhook-deliveries.ts';
import { WEBHOOK_ENDPOINTS } from './webhook-endpoints.ts';
import { WEBHOOK_REPLAYS } from './webhook-replays.ts';
import { WEBHOOK_SUBSCRIPTIONS } from './webhook-subscriptions.ts';

/** Every table of the service, by the name of its model. */
export const TABLES = {
  tenant: TENANTS,
  apiKey: API_KEYS,
  client: CLIENTS,
  deletedClient: DELETED_CLIENTS,
  event: EVENTS,
  webhookEndpoint: WEBHOOK_ENDPOINTS,
  webhookSubscription: WEBHOOK_SUBSCRIPTIONS,
  webhookDelivery: WEBHOOK_DELIVERIES,
  shardLease: SHARD_LEASES,
  dispatcher: DISPATCHERS,
  auditEvent: AUDIT_EVENTS,
  idempotencyKey: IDEMPOTENCY_KEYS,
  developer: DEVELOPERS,
  settings: SETTINGS,
  role: ROLES,
  user: USERS,
  group: CLIENT_GROUPS,
  groupMember: GROUP_MEMBERS,
  groupOwner: GROUP_OWNERS,
  location: LOCATIONS,
  module: MODULES,
  plan: PLANS,
  invoice: INVOICES,
  payment: PAYMENTS,
  mail: MAILS,
  jobLease: JOB_LEASES,
  oauthApp: OAUTH_APPS,
  oauthGrant: OAUTH_GRANTS,
  oauthAccessToken: OAUTH_ACCESS_TOKENS,
  oauthRefreshToken: OAUTH_REFRESH_TOKENS,
  session: SESSIONS,
  signInLink: SIGN_IN_LINKS,
  deviceLogin: DEVICE_LOGINS,
  developerToken: DEVELOPER_TOKENS,
  signingKey: SIGNING_KEYS,
  clientLimit: CLIENT_LIMITS,
  webhookReplay: WEBHOOK_REPLAYS,
  installation: INSTALLATION,
  request: REQUESTS,
  mailCount: MAIL_COUNTS,
  process: PROCESSES,
  previousApiKey: PREVIOUS_API_KEYS,
  supportKey: SUPPORT_KEYS,
  sandboxLock: SANDBOX_LOCKS,
  requestBody: REQUEST_BODIES,
};
