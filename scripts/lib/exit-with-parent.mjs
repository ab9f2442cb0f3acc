// Loaded into a process that a script here started (see run.mjs): ends it when that script is gone.
if (process.channel !== undefined) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The leash alone must not keep the process alive.
  process.channel.unref();
}
