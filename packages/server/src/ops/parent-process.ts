/** Ends this process when the one that started it is gone, however that ended: the channel between them closes. */
export function endWithParent(): void {
  const end = (): void => void process.kill(process.pid, 'SIGTERM');
  if (!process.connected) end();
  process.once('disconnect', end);
}

interface Ready {
  readonly baseUrl: string;
  readonly tenantId: string | null;
  /** Where the key is; a message could be logged. */
  readonly sandboxFile: string | null;
}

/** Tells the process that started this one that it serves. */
export function announce({ baseUrl, tenantId, sandboxFile }: Ready): void {
  process.send?.({ type: 'plat-server:ready', base_url: baseUrl, tenant_id: tenantId, sandbox_file: sandboxFile });
}
