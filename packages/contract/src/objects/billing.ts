/** The values of an invoice's `status`. */
export const INVOICE_STATUSES = ['draft', 'open', 'paid', 'void'] as const;

/** The values of a payment's `status`. */
export const PAYMENT_STATUSES = ['succeeded', 'failed', 'refunded'] as const;
