/** Measurements of one contestant in one round. */
export interface Sample {
  readonly perSecond: number;
  /** Processor time of this process, user and system, in microseconds per call. */
  readonly cpuMicros: number;
}

/** Calls a function repeatedly for some milliseconds. */
export function callFor(ms: number, call: () => void): Sample {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const end = start + ms;
  let calls = 0;
  // Reads the clock about every 0.1 ms.
  let batch = 1;
  for (let now = start; now < end; ) {
    for (let i = 0; i < batch; i++) call();
    calls += batch;
    const last = now;
    now = performance.now();
    if (now - last < 0.1) batch = Math.min(batch * 2, 4096);
  }
  return toSample(calls, start, cpu);
}

/** Calls an asynchronous function repeatedly, with a fixed number of concurrent calls. */
export async function callAsyncFor(ms: number, parallel: number, call: () => Promise<unknown>): Promise<Sample> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const end = start + ms;
  let calls = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      await call();
      calls++;
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return toSample(calls, start, cpu);
}

function toSample(calls: number, start: number, cpuAtStart: NodeJS.CpuUsage): Sample {
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuAtStart);
  return { perSecond: (calls / elapsed) * 1000, cpuMicros: (user + system) / calls };
}
