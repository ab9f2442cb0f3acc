/** `development` seeds a sandbox and allows webhooks to loopback addresses; `production` does neither. */
export type Mode = 'development' | 'production';
