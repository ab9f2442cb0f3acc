/** Targets of requests below `/v1`. */
export const V1 = /^\/v1(?:[/?]|$)/;
