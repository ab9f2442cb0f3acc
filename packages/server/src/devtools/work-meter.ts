import type { Intercept } from '../events/attempt.ts';
import type { WorkDone } from './time-control.ts';

/** Counts the work of this process. */
export interface WorkMeter {
  readonly intercept: Intercept;
  mailSent(): void;
  done(): Omit<WorkDone, 'rows_removed'>;
}

/** @param intercept what else stands between an attempt and its sending */
export function createWorkMeter(intercept: Intercept): WorkMeter {
  let deliveries = 0;
  let mails = 0;
  return {
    intercept(delivery, send) {
      deliveries++;
      return intercept(delivery, send);
    },
    mailSent() {
      mails++;
    },
    done: () => ({ deliveries, mails }),
  };
}
