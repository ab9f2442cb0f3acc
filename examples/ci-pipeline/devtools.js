/** Clock and faults of the server that `plat dev` runs. These paths exist in development mode only. */
async function call(method, path, body) {
  const response = await fetch(`${process.env.PLAT_BASE_URL}/_dev/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} /_dev/${path}: ${response.status} ${await response.text()}`);
}

export const devtools = {
  /** Injects a fault, once. */
  addFault: (fault) => call('POST', 'faults', fault),
  clearFaults: () => call('DELETE', 'faults'),
  freezeClock: () => call('POST', 'clock/freeze', {}),
  /** Moves the clock, and returns when the work that fell due on the way is done. */
  advanceClock: (seconds) => call('POST', 'clock/advance', { seconds }),
  /** Returns when no delivery is due or running. */
  idle: () => call('POST', 'idle', {}),
};
