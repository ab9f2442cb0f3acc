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
  apiKey: API_KEYS,
  auditEvent: AUDIT_EVENTS,
  group: CLIENT_GROUPS,
  clientLimit: CLIENT_LIMITS,
  client: CLIENTS,
  deletedClient: DELETED_CLIENTS,
  developerToken: DEVELOPER_TOKENS,
  developer: DEVELOPERS,
  deviceLogin: DEVICE_LOGINS,
  dispatcher: DISPATCHERS,
  event: EVENTS,
  groupMember: GROUP_MEMBERS,
  groupOwner: GROUP_OWNERS,
  idempotencyKey: IDEMPOTENCY_KEYS,
  installation: INSTALLATION,
  invoice: INVOICES,
  jobLease: JOB_LEASES,
  location: LOCATIONS,
  mailCount: MAIL_COUNTS,
  mail: MAILS,
  module: MODULES,
  oauthAccessToken: OAUTH_ACCESS_TOKENS,
  oauthApp: OAUTH_APPS,
  oauthGrant: OAUTH_GRANTS,
  oauthRefreshToken: OAUTH_REFRESH_TOKENS,
  payment: PAYMENTS,
  plan: PLANS,
  previousApiKey: PREVIOUS_API_KEYS,
  process: PROCESSES,
  requestBody: REQUEST_BODIES,
  request: REQUESTS,
  role: ROLES,
  sandboxLock: SANDBOX_LOCKS,
  session: SESSIONS,
  settings: SETTINGS,
  shardLease: SHARD_LEASES,
  signInLink: SIGN_IN_LINKS,
  signingKey: SIGNING_KEYS,
  supportKey: SUPPORT_KEYS,
  tenant: TENANTS,
  user: USERS,
  webhookDelivery: WEBHOOK_DELIVERIES,
  webhookEndpoint: WEBHOOK_ENDPOINTS,
  webhookReplay: WEBHOOK_REPLAYS,
  webhookSubscription: WEBHOOK_SUBSCRIPTIONS,
};
