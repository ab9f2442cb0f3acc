export interface SentEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a story reads what the server says, and asserts on it
  readonly data: any;
}

/** A reader of server-sent events. */
export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  /** Resolves to the next event, or to null when the stream ends. */
  next(): Promise<SentEvent | null>;
  /** Leaves. */
  close(): void;
}

/** Opens a stream of server-sent events. */
export async function readEvents(url: string, cookie: string): Promise<EventReader> {
  const stop = new AbortController();
  const headers = { cookie, accept: 'text/event-stream' };
  const response = await fetch(url, { headers, redirect: 'manual', signal: stop.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    status: response.status,
    headers: response.headers,
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const lines = text.slice(0, end).split('\n');
          text = text.slice(end + 2);
          const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
          const [event, data] = [field('event'), field('data')];
          if (event !== undefined && data !== undefined) return { event, data: JSON.parse(data) };
          continue;
        }
        const read = await reader?.read();
        if (!read || read.done) return null;
        text += read.value;
      }
    },
    close() {
      stop.abort();
    },
  };
}
