import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A part of a bench in its own process, so that it has a processor to itself. */
export interface Child<Message> {
  readonly pid: number;
  /** Message that it sent when it was ready. */
  readonly ready: Message;
  /** Sends a request and waits for the response. */
  ask(question: string): Promise<Message>;
  stop(): Promise<void>;
  /** Kills a process that does not respond. */
  kill(): void;
}

/** Starts a module that uses {@link serveParent}, and waits until it is ready. */
export async function startChild<Message>(module: URL, args: readonly string[] = []): Promise<Child<Message>> {
  const child = fork(fileURLToPath(module), args, {
    execArgv: ['--conditions=@plat/source', '--no-warnings', '--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const next = async (): Promise<Message> => {
    const [message] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => {
        throw new Error(`${module.pathname.split('/').slice(-2).join('/')} ended (${code})`);
      }),
    ]);
    // Both ends of the channel are in this folder.
    return message as Message;
  };
  const ready = await next();
  return {
    pid: child.pid ?? 0,
    ready,
    ask(question) {
      const answer = next();
      child.send(question);
      return answer;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

/** The other end: reports readiness, responds to requests, and exits with the parent. */
export function serveParent<Message>(ready: Message, answer: (question: string) => Message | Promise<Message>): void {
  process.on('disconnect', () => process.exit());
  process.on('message', async (question) => process.send?.(await answer(String(question))));
  process.send?.(ready);
}
