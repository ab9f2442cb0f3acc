/** Targets of requests below `/v1`. */
export const V1 = /^\/v1(?:[/?]|$)/;

/** Targets of requests that bearer tokens authenticate. */
export const BEARER_SURFACES = /^\/(?:v1|developer\/v1|operator\/v1)(?:[/?]|$)/;
