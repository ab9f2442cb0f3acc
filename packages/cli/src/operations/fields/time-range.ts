import { text } from '../../command/field.ts';

/** Filters of a list by the time of its items. */
export const timeRange = (items: string) => ({
  created_after: text(`only ${items} after this time (ISO 8601)`, 'time'),
  created_before: text(`only ${items} before this time (ISO 8601)`, 'time'),
});
