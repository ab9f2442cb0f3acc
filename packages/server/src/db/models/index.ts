import type { Sequelize } from 'sequelize';
import { defineApiKey } from './api-key.model.ts';
import { defineAuditEvent } from './audit-event.model.ts';
import { defineClient } from './client.model.ts';
import { defineClientLimit } from './client-limit.model.ts';
import { defineDeletedClient } from './deleted-client.model.ts';
import { defineDeveloper } from './developer.model.ts';
import { defineDeveloperToken } from './developer-token.model.ts';
import { defineDeviceLogin } from './device-login.model.ts';
import { defineEvent } from './event.model.ts';
import { defineGroup } from './group.model.ts';
import { defineGroupMember } from './group-member.model.ts';
import { defineGroupOwner } from './group-owner.model.ts';
import { defineIdempotencyKey } from './idempotency-key.model.ts';
import { defineInvoice } from './invoice.model.ts';
import { defineLocation } from './location.model.ts';
import { defineMail } from './mail.model.ts';
import { defineModule } from './module.model.ts';
import { defineOAuthAccessToken } from './oauth-access-token.model.ts';
import { defineOAuthApp } from './oauth-app.model.ts';
import { defineOAuthGrant } from './oauth-grant.model.ts';
import { defineOAuthRefreshToken } from './oauth-refresh-token.model.ts';
import { definePayment } from './payment.model.ts';
import { definePlan } from './plan.model.ts';
import { defineRequest } from './request.model.ts';
import { defineRole } from './role.model.ts';
import { defineSession } from './session.model.ts';
import { defineSettings } from './settings.model.ts';
import { defineShardLease } from './shard-lease.model.ts';
import { defineSignInLink } from './sign-in-link.model.ts';
import { defineSigningKey } from './signing-key.model.ts';
import { defineTenant } from './tenant.model.ts';
import { defineUser } from './user.model.ts';
import { defineWebhookDelivery } from './webhook-delivery.model.ts';
import { defineWebhookEndpoint } from './webhook-endpoint.model.ts';
import { defineWebhookReplay } from './webhook-replay.model.ts';
import { defineWebhookSubscription } from './webhook-subscription.model.ts';

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
