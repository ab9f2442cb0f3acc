import { type ErrorBody, type ErrorCode, HEADERS } from '@plat/contract';
import { object } from '@plat/contract/schemas';
import type { Request, RequestHandler, Response, Router } from 'express';
import type { Logger } from 'pino';
import type { Transaction } from 'sequelize';
import type { Admission } from '../auth/admission.ts';
import type { Caller } from '../auth/credential.ts';
import { openChange } from '../change.ts';
import type { Context, WriteContext } from '../context.ts';
import type { Database } from '../db/database.ts';
import { holdSandbox, holdSandboxSlot } from '../db/sandbox-lock.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { ApiError } from '../kernel/api-error.ts';
import type { Clock } from '../kernel/clock.ts';
import { parseJsonBody } from './body.ts';
import { begunCall } from './call.ts';
import { announceDeprecation } from './deprecation.ts';
import { callerOf, passGate, refuseOverLimit, refuseSuspendedTenant, requireScope } from './gate.ts';
import { claimKey, type HeldKey, idempotencyKeyOf, KEY_LOCK_MS, type StoredResponse } from './idempotency.ts';
import { readBodyOfCaller } from './late-body.ts';
import { validQuery } from './query.ts';
import { nameOperation } from './request-entry.ts';
import { type LimitServices, reserveAndMail } from './reserve-and-mail.ts';
import { sendJson } from './respond.ts';
import type { AnyRoute, Page, RawInput } from './route.ts';
import { validate } from './validate.ts';

/** The parts of the server that the pipeline needs. */
export interface PipelineServices extends LimitServices {
  readonly db: Database;
  readonly log: Logger;
  readonly clock: Clock;
  /** Returns the public address of the server, which is available once the server listens. */
  readonly baseUrl: () => string;
  /** Ranges that webhooks may reach although they are not public. */
  readonly webhookTargets: readonly string[];
  /** Divides the capacity of this process between tenants. */
  readonly admission: Admission;
  /** For tests: time after which the lock of an Idempotency-Key expires unless it is renewed, in ms. */
  readonly keyLockMs?: number;
}

/** Codes of refusals that are not stored: a retry with the same Idempotency-Key runs again, because it may succeed. */
const TEMPORARY: ReadonlySet<ErrorCode> = new Set(['IDEMPOTENCY_KEY_IN_USE', 'MAIL_LIMIT_REACHED']);

const NOTHING = object({});

/**
 * Mounts a route with its gate, in the order of the specification: scope, tenant, rate limit, and only then the body.
 * @param limits further limits, after the rate limit
 */
export function mount(
  router: Router,
  route: AnyRoute,
  services: PipelineServices,
  ...limits: readonly RequestHandler[]
): void {
  const { method, scope } = route.operation;
  const gate = [nameOperation(route), requireScope(scope), refuseSuspendedTenant, refuseOverLimit, ...limits];
  const path = expressPath(route);
  if (method === 'GET') router.get(path, ...gate, afterGate(readHandler(route, services)));
  else router[lower(method)](path, ...gate, ...readBodyOfCaller(scope), afterGate(writeHandler(route, services)));
}

/** Mounts the deprecation headers of a route before the gate, so that refusals have them too. */
export function mountAnnouncement(router: Router, route: AnyRoute): void {
  const { method, deprecated } = route.operation;
  if (deprecated) router[lower(method)](expressPath(route), announceDeprecation(deprecated));
}

function expressPath({ operation }: AnyRoute): string {
  return operation.path.replace(/^(?:\/(?:developer|operator))?\/v1/, '').replace(/\{(\w+)\}/g, ':$1');
}

function afterGate(handler: RequestHandler): RequestHandler {
  return (req, res, next) => passGate(res, () => handler(req, res, next));
}

function readHandler(route: AnyRoute, services: PipelineServices): RequestHandler {
  return async (req, res) => {
    const ctx = contextOf(req, res, services);
    const input = inputOf(route, req);
    const answer = await services.admission.run(ctx.tenantId, () => route.read(ctx, input), begunCall(req));
    sendJson(res, route.operation.status, toJson(route, req, answer));
  };
}

function writeHandler(route: AnyRoute, services: PipelineServices): RequestHandler {
  return async (req, res) => {
    const ctx = contextOf(req, res, services);
    const input = inputOf(route, req);
    const key = route.operation.method === 'POST' ? idempotencyKeyOf(req) : null;
    const answer = await services.admission.run(ctx.tenantId, () => write(ctx, input, req, key), begunCall(req));
    if ('replayed' in answer) {
      res.setHeader(HEADERS.idempotentReplayed, 'true');
      if (answer.status >= 400) res.locals.refusal = JSON.parse(answer.body) as ErrorBody;
    }
    sendJson(res, answer.status, answer.body);
  };

  async function write(ctx: Context<Caller>, input: RawInput, req: Request, key: string | null) {
    const { keyLockMs: lockMs = KEY_LOCK_MS } = services;
    const held = key === null ? null : await claimKey({ ...ctx, credentialId: ctx.credential.id, lockMs }, key, req);
    if (held && 'status' in held) return { ...held, replayed: true };
    return runWrite(route, req, ctx, input, held, services);
  }
}

async function runWrite(
  route: AnyRoute,
  req: Request,
  ctx: Context<Caller>,
  input: RawInput,
  held: HeldKey | null,
  services: PipelineServices,
): Promise<StoredResponse> {
  try {
    return await unitOfWork(services.db, async (transaction) => {
      const hold = route.holdsSandbox ? holdSandbox : holdSandboxSlot;
      if (ctx.credential.sandbox) await hold(ctx.db, ctx.tenantId, transaction);
      const result = await route.write(writeContextOf(ctx, transaction, req, services), input);
      const answer = { status: route.operation.status, body: toJson(route, req, result) };
      await held?.store(answer, transaction);
      return answer;
    });
  } catch (error) {
    if (held) await settleRefusal(held, error);
    throw error;
  } finally {
    held?.end();
  }
}

/** Stores a refusal with its key like any response. A failure of the service or a temporary refusal is not stored. */
async function settleRefusal(held: HeldKey, error: unknown): Promise<void> {
  const isAnswer = error instanceof ApiError && error.status < 500 && !TEMPORARY.has(error.code);
  const settled = isAnswer
    ? held.store({ status: error.status, body: JSON.stringify(error.toBody()) }, null)
    : held.release();
  // A key that cannot be settled expires by itself. The caller throws the first error.
  await settled.catch(() => undefined);
}

function contextOf(req: Request, res: Response, services: PipelineServices): Context<Caller> {
  const { db, sealer, log, clock, baseUrl, webhookTargets } = services;
  const credential = callerOf(req);
  const { tenantId } = credential;
  const { requestId } = res.locals;
  const call = { requestId, tenantId, credential, now: clock(), transaction: null };
  return { db, sealer, log, baseUrl: baseUrl(), webhookTargets, ...call };
}

/** Returns the context of one run of a transaction. */
function writeContextOf(
  ctx: Context<Caller>,
  transaction: Transaction,
  req: Request,
  services: PipelineServices,
): WriteContext<Caller> {
  const { actor, sessionId = null, sandbox } = ctx.credential;
  const { requestId } = ctx;
  const ip = req.ip ?? null;
  const change = openChange(ctx, transaction, { ...actor, requestId, ip, sessionId });
  const functions = reserveAndMail(services, { ...ctx, transaction }, { sandbox, ip });
  return { ...ctx, ...change, requestId, transaction, ...functions };
}

function inputOf(route: AnyRoute, req: Request): RawInput {
  return {
    path: req.params as Record<string, string>,
    query: validQuery(route.query ?? NOTHING, req),
    body: hasBody(route.operation.method)
      ? validate('INVALID_BODY', route.body ?? NOTHING, parseJsonBody(req))
      : undefined,
  };
}

function toJson(route: AnyRoute, req: Request, answer: unknown): string {
  if (!route.operation.list) return JSON.stringify(answer);
  const { data, hasMore, nextCursor: next_cursor } = answer as Page<unknown>;
  return JSON.stringify({ object: 'list', data, has_more: hasMore, next_cursor, url: req.baseUrl + req.path });
}

/** Returns the name of the router's function for a method. */
function lower<M extends AnyRoute['operation']['method']>(method: M): Lowercase<M> {
  return method.toLowerCase() as Lowercase<M>;
}

function hasBody(method: string): boolean {
  return method === 'POST' || method === 'PATCH' || method === 'PUT';
}
