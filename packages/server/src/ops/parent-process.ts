/**
 * Ends this process in order when its parent process ends, or disconnects: the IPC channel closes. The signal is emitted,
 * not sent: on Windows a sent one ends the process at once, with its requests and deliveries.
 */
export function endWithParent(): void {
  const end = (): void => void process.emit('SIGTERM', 'SIGTERM');
  if (!process.connected) end();
  process.once('disconnect', end);
}

interface Ready {
  readonly baseUrl: string;
  readonly tenantId: string | null;
  /** File with the API key; the key itself is not sent, because a message may be logged. */
  readonly sandboxFile: string | null;
}

/** Notifies the parent process that the server listens. */
export function announce({ baseUrl, tenantId, sandboxFile }: Ready): void {
  process.send?.({ type: 'plat-server:ready', base_url: baseUrl, tenant_id: tenantId, sandbox_file: sandboxFile });
}
