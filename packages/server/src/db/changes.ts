/** The fields that differ, with their values before and after: what the audit trail keeps. Name no secret field. */
export function changedFields<Row extends object>(
  before: Row,
  after: Row,
  fields: readonly (keyof Row & string)[],
): Record<string, readonly [before: unknown, after: unknown]> {
  return Object.fromEntries(
    fields
      .filter((field) => before[field] !== after[field])
      .map((field) => [field, [before[field], after[field]] as const]),
  );
}
