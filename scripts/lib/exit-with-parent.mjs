// Parent-process watchdog, preloaded into a child process by run.mjs: ends the child when its parent has ended.
if (process.channel !== undefined) {
  process.once('disconnect', () => {
    // Emitted, not sent: on Windows a sent signal ends the process at once, without its handlers.
    if (!process.emit('SIGTERM', 'SIGTERM')) process.kill(process.pid, 'SIGTERM');
  });
  // The channel alone must not keep the process alive.
  process.channel.unref();
}
