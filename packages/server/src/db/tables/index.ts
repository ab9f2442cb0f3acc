import type { Sequelize } from 'sequelize';
import { defineApiKey } from './api-keys.ts';
import { defineAuditEvent } from './audit-events.ts';
import { defineGroup } from './client-groups.ts';
import { defineClientLimit } from './client-limits.ts';
import { defineClient } from './clients.ts';
import { defineDeletedClient } from './deleted-clients.ts';
import { defineDeveloperToken } from './developer-tokens.ts';
import { defineDeveloper } from './developers.ts';
import { defineDeviceLogin } from './device-logins.ts';
import { defineEvent } from './events.ts';
import { defineGroupMember } from './group-members.ts';
import { defineGroupOwner } from './group-owners.ts';
import { defineIdempotencyKey } from './idempotency-keys.ts';
import { defineInvoice } from './invoices.ts';
import { defineLocation } from './locations.ts';
import { defineMail } from './mails.ts';
import { defineModule } from './modules.ts';
import { defineOAuthAccessToken } from './oauth-access-tokens.ts';
import { defineOAuthApp } from './oauth-apps.ts';
import { defineOAuthGrant } from './oauth-grants.ts';
import { defineOAuthRefreshToken } from './oauth-refresh-tokens.ts';
import { definePayment } from './payments.ts';
import { definePlan } from './plans.ts';
import { defineRequest } from './requests.ts';
import { defineRole } from './roles.ts';
import { defineSession } from './sessions.ts';
import { defineSettings } from './settings.ts';
import { defineShardLease } from './shard-leases.ts';
import { defineSignInLink } from './sign-in-links.ts';
import { defineSigningKey } from './signing-keys.ts';
import { defineTenant } from './tenants.ts';
import { defineUser } from './users.ts';
import { defineWebhookDelivery } from './webhook-deliveries.ts';
import { defineWebhookEndpoint } from './webhook-endpoints.ts';
import { defineWebhookReplay } from './webhook-replays.ts';
import { defineWebhookSubscription } from './webhook-subscriptions.ts';

/** Every table of the service, one line each. */
export function defineModels(sequelize: Sequelize) {
  return {
    tenant: defineTenant(sequelize),
    apiKey: defineApiKey(sequelize),
    client: defineClient(sequelize),
    deletedClient: defineDeletedClient(sequelize),
    developer: defineDeveloper(sequelize),
    settings: defineSettings(sequelize),
    role: defineRole(sequelize),
    user: defineUser(sequelize),
    group: defineGroup(sequelize),
    groupMember: defineGroupMember(sequelize),
    groupOwner: defineGroupOwner(sequelize),
    location: defineLocation(sequelize),
    module: defineModule(sequelize),
    plan: definePlan(sequelize),
    invoice: defineInvoice(sequelize),
    payment: definePayment(sequelize),
    auditEvent: defineAuditEvent(sequelize),
    request: defineRequest(sequelize),
    event: defineEvent(sequelize),
    webhookEndpoint: defineWebhookEndpoint(sequelize),
    webhookSubscription: defineWebhookSubscription(sequelize),
    webhookDelivery: defineWebhookDelivery(sequelize),
    webhookReplay: defineWebhookReplay(sequelize),
    shardLease: defineShardLease(sequelize),
    idempotencyKey: defineIdempotencyKey(sequelize),
    mail: defineMail(sequelize),
    oauthApp: defineOAuthApp(sequelize),
    oauthGrant: defineOAuthGrant(sequelize),
    oauthAccessToken: defineOAuthAccessToken(sequelize),
    oauthRefreshToken: defineOAuthRefreshToken(sequelize),
    session: defineSession(sequelize),
    signInLink: defineSignInLink(sequelize),
    developerToken: defineDeveloperToken(sequelize),
    deviceLogin: defineDeviceLogin(sequelize),
    signingKey: defineSigningKey(sequelize),
    clientLimit: defineClientLimit(sequelize),
  };
}

export type Models = ReturnType<typeof defineModels>;
