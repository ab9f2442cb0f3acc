import type { Settings, SettingsUpdateParams } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions } from '../call/call-options.ts';

/** Methods for the settings of the tenant. */
export interface SettingsResource {
  /** Shows the settings. Scope `settings:read`. */
  get(options?: CallOptions): ApiCall<Settings>;
  /** Changes the given fields; null clears the support address. Scope `settings:write`. */
  update(params: SettingsUpdateParams, options?: CallOptions): ApiCall<Settings>;
}
