/** Family of an operation and the families above it: `webhooks` and `webhooks.endpoints` for `webhooks.endpoints.list`. */
export type FamilyOf<N extends string> = N extends `${infer First}.${infer Rest}`
  ? Rest extends `${string}.${string}`
    ? First | `${First}.${FamilyOf<Rest>}`
    : First
  : never;
