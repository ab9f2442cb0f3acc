import type { ListParams, Module, Plan } from '@plat/contract';
import type { ListCall } from '../list/list-call.ts';
import type { ListOptions } from './operation-method.ts';

/** The modules of the platform, the same for every tenant. */
export interface Modules {
  /** Lists modules, newest first. Scope `modules:read`. @throws ApiError `INVALID_CURSOR` */
  list(params?: ListParams, options?: ListOptions): ListCall<Module>;
}

/** The plans of the platform, the same for every tenant. */
export interface Plans {
  /** Lists plans, newest first. Scope `plans:read`. @throws ApiError `INVALID_CURSOR` */
  list(params?: ListParams, options?: ListOptions): ListCall<Plan>;
}
