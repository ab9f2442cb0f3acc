import type { AppEventType } from './event-types.ts';
import type { Installation, OAuthApp, RevokedInstallation, ScopeChangedInstallation } from './generated.ts';

/** Type of `data` for each event type of an app. */
export interface AppEventPayloads {
  /** The new installation. Its code is not exchanged yet. */
  'installation.authorized': Installation;
  /** The ended installation, and the actor that ended it. */
  'installation.revoked': RevokedInstallation;
  /** The installation with the new scopes, and the former ones. */
  'installation.scopes_changed': ScopeChangedInstallation;
  /** The ended installation. */
  'installation.reuse_detected': RevokedInstallation;
  /** The app after the change. */
  'app.verified': OAuthApp;
  /** The app after the change, with the note of the reviewer. */
  'app.rejected': OAuthApp;
  /** The app after the change. */
  'app.disabled': OAuthApp;
  /** The app after the change. */
  'app.enabled': OAuthApp;
  /** The app at the time of its deletion. */
  'app.deleted': OAuthApp;
  /** The app after the change, without its secret. */
  'app.secret_rotated': OAuthApp;
}

/** An event of an app: the body of a delivery to one of the app's own endpoints. */
export interface AppEventOf<T extends AppEventType> {
  /** Id of the event, `evt_…`. It is the same in every delivery; deduplicate on it. */
  readonly id: string;
  /** Always `event`. */
  readonly object: 'event';
  /** The event type; it selects the type of `data`. */
  readonly type: T;
  /** Commit time in ISO 8601 with milliseconds. It orders the events of an app; ties are resolved by id. */
  readonly created: string;
  /** Id of the tenant of the installation. For events of the app itself: id of the developer's sandbox. */
  readonly tenant_id: string;
  /** Id of the app. Events of tenants do not have this field. */
  readonly app_id: string;
  /** The affected installation or app as it was committed. */
  readonly data: AppEventPayloads[T];
}

/** Any event of an app. `type` determines the type of `data`. */
export type AppEvent = { [T in AppEventType]: AppEventOf<T> }[AppEventType];
