import type { ApiKeyWithSecret } from '@plat/contract';
import type { ChangeServices } from '../accounts/change-as.ts';
import type { AdminSession, DeveloperSession } from '../accounts/session.ts';
import type { SessionKind } from '../accounts/session-cookie.ts';
import type { BegunSession } from '../accounts/session-store.ts';
import type { Account } from '../accounts/sign-in.ts';
import type { Change } from '../change.ts';
import type { Context, WriteContext } from '../context.ts';
import type { InsideAnswer, InsideCall } from '../http/call-inside.ts';
import type { EventStream } from '../http/event-stream.ts';
import type { PipelineServices } from '../http/pipeline.ts';
import type { RequestLogLimits } from '../http/request-log.ts';
import type { LaunchSigner } from '../launch/launch-signer.ts';
import type { ExplainedCredential } from '../oauth/explain-credential.ts';
import type { RequestTail } from '../resources/requests/request-tail.ts';
import type { Room } from './access.ts';
import type { SignedInPage } from './layout.ts';
import type { RefusedFilters } from './parts/list.ts';

/** The session of each kind of account. */
export interface Sessions {
  readonly admin: AdminSession;
  readonly developer: DeveloperSession;
}

/** A page as data. Mounting, the session and the check of posted forms are the same for all pages. */
export interface PageRoute<Kind extends SessionKind = SessionKind> {
  /** The room whose access the page requires: to read for a GET, to change for a POST. */
  readonly room: Room;
  /** A further room that the page requires to read: that of the object whose part it shows. */
  readonly within?: Room;
  /** `change` for a GET whose page only leads to a change. */
  readonly needs?: 'change';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** True for a page that calls the API, which admits the call: a page that waits for it must not hold a slot. */
  readonly callsApi?: true;
  /** For what the script of a page requests. The default is a page, a file or a redirect. */
  readonly answers?: 'json' | 'events';
  handle(call: PageCall<Kind>): Promise<PageAnswer>;
}

/** The request of a page. Without a kind, that of either kind of account. */
export interface PageCall<Kind extends SessionKind = SessionKind> {
  readonly session: Sessions[Kind];
  readonly db: ChangeServices['db'];
  /** Context of the functions that read for /v1. */
  readonly ctx: Context;
  /** Prefix of the rooms of this kind of account: `/console` or nothing. */
  readonly prefix: string;
  readonly launchSigner: LaunchSigner;
  /** True if users of sandboxes get launch tokens. */
  readonly launchesSandboxes: boolean;
  readonly keepSandboxKey: KeepSandboxKey;
  readonly quotas: PipelineServices['quotas'];
  readonly requestTail: RequestTail;
  /** The requests that the log keeps. */
  readonly logged: RequestLogLimits;
  /** Resolves to false when the session, or its right to read in a room, has ended. */
  isStillAllowed(room: Room): Promise<boolean>;
  /** Time of the request, in ms. */
  readonly now: number;
  /** Prefix of own paths. */
  readonly base: string;
  /** Base URL that clients of the API put before `/v1`. */
  readonly baseUrl: string;
  /** The id in the path. Empty if the path has none. */
  readonly id: string;
  /** All parameters of the path, by name. */
  readonly ids: Readonly<Record<string, string>>;
  /** Query fields that are not repeated. */
  readonly query: Readonly<Record<string, string>>;
  /** Filters of the query that the list refused. They are absent from the query. */
  readonly refused: RefusedFilters;
  /** Fields of the form. Empty for a GET. */
  readonly fields: Readonly<Record<string, string>>;
  /** Explains a key or token to the signed-in account. */
  explain(credential: string): Promise<ExplainedCredential>;
  /** Makes a change of the signed-in account's tenant, in one transaction. */
  change<Result>(work: (change: Change) => Promise<Result>): Promise<Result>;
  /** Sends a call through the whole application, from the address and the host of the person. */
  call(request: Omit<InsideCall, 'ip' | 'userAgent'>): Promise<InsideAnswer>;
  /** Runs a service function of /v1 as the signed-in account. */
  write<Result>(work: (ctx: WriteContext) => Promise<Result>): Promise<Result>;
}

/** A file to save, which is sent in pieces. */
export interface FileAnswer {
  readonly file: {
    readonly name: string;
    /** Media type. */
    readonly type: string;
    readonly content: AsyncIterable<string>;
  };
}

/** A page, a file, or the path of a redirect. Every successful form redirects, so that a reload repeats nothing. */
export type PageAnswer =
  | FileAnswer
  | {
      /** Value for the script of the page. */
      readonly json: unknown;
    }
  | {
      /** Sends events until the reader leaves. */
      readonly follow: (stream: EventStream) => void;
    }
  | {
      readonly page: SignedInPage;
      readonly status?: number;
      /** Origin that a form of the page may post to, besides this server. */
      readonly formOrigin?: string;
    }
  | {
      readonly goTo: string;
      /** Another account of the same person, which the session changes to. */
      readonly switchTo?: Pick<Account, 'userId' | 'tenantId'>;
      /** A user of the developer's sandbox: the browser gets a session beside that of the developer. */
      readonly actAs?: BegunSession;
    };

/** Saves a replaced key to the sandbox file for the next start. Resolves to the path of the file, or to null. */
export type KeepSandboxKey = (key: Pick<ApiKeyWithSecret, 'tenant_id' | 'api_key'>) => Promise<string | null>;
