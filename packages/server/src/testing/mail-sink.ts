import { createServer, type Socket } from 'node:net';

/** A mail as an SMTP server received it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  /** The whole message, headers and body, with LF. */
  readonly message: string;
}

/** Reply of the sink instead of accepting a mail, by command. `hang`: no reply at all. */
export interface SinkRefusal {
  readonly command: 'CONNECT' | 'MAIL' | 'RCPT' | 'DATA' | 'MESSAGE';
  readonly reply: string | 'hang';
}

/** A real SMTP server on loopback that accepts and keeps every mail, and forwards none. */
export interface MailSink {
  /** Value of `SMTP_URL`. */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Number of connections so far. */
  readonly connections: number;
  /** Refuses mails this way from now on; null ends the refusal. */
  refuse(refusal: SinkRefusal | null): void;
  /** Resolves when it has received this many mails. */
  waitFor(count: number, withinMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a sink on a free port, or on the given one. */
export async function startMailSink(port = 0): Promise<MailSink> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  let refusal: SinkRefusal | null = null;
  let connections = 0;

  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    serveConnection(
      socket,
      () => refusal,
      (mail) => {
        mails.push(mail);
        for (const look of [...waiting]) look();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    url: `smtp://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`,
    mails,
    get connections() {
      return connections;
    },
    refuse(next) {
      refusal = next;
    },
    waitFor(count, withinMs = 20_000) {
      return new Promise((resolve, reject) => {
        const give = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`${mails.length} of ${count} mails arrived within ${withinMs} ms`));
        }, withinMs);
        const look = (): void => {
          if (mails.length < count) return;
          clearTimeout(give);
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Serves one connection: RFC 5321 without extensions. */
function serveConnection(socket: Socket, refusal: () => SinkRefusal | null, take: (mail: ReceivedMail) => void): void {
  let unread = '';
  let from = '';
  let to = '';
  let message: string[] | null = null;
  const say = (command: SinkRefusal['command'] | null, reply: string): boolean => {
    const refused = refusal();
    const isRefused = refused !== null && refused.command === command;
    if (isRefused && refused.reply === 'hang') return false;
    socket.write(`${isRefused ? refused.reply : reply}\r\n`);
    return !isRefused;
  };

  say('CONNECT', '220 sink.test ESMTP');
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (unread + chunk).split('\r\n');
    unread = lines.pop() ?? '';
    for (const line of lines) {
      if (message) {
        if (line !== '.') message.push(line.replace(/^\./, ''));
        else {
          const whole = message.join('\n');
          message = null;
          // Replies after the mail is kept, like a server that takes responsibility for it.
          const isRefused = refusal()?.command === 'MESSAGE';
          if (!isRefused) take({ from, to, message: whole });
          say('MESSAGE', '250 kept');
        }
        continue;
      }
      runCommand(line);
    }
  });

  function runCommand(line: string): void {
    const [, path = ''] = /<([^>]*)>/.exec(line) ?? [];
    switch (line.slice(0, 4).toUpperCase()) {
      case 'MAIL':
        from = path;
        say('MAIL', '250 ok');
        break;
      case 'RCPT':
        to = path;
        say('RCPT', '250 ok');
        break;
      case 'DATA':
        if (say('DATA', '354 go ahead')) message = [];
        break;
      case 'QUIT':
        socket.end('221 bye\r\n');
        break;
      case 'EHLO':
      case 'HELO':
      case 'RSET':
        say(null, '250 ok');
        break;
      default:
        say(null, '502 not here');
    }
  }
}
