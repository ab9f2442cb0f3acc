import { randomUUID } from 'node:crypto';
import { connectRedis } from '../../kernel/redis.ts';

const CHANNEL = 'plat:due-deliveries';
/** Minimum interval of the messages of one process, in ms. */
const INTERVAL_MS = 10;

/** Announces due deliveries to the other processes. Messages may get lost: each process polls as well. */
export interface WakeChannel {
  announce(): void;
  /** Calls back for each message of another process. */
  listen(heard: () => void): Promise<void>;
  close(): void;
}

/** Opens the channel in Redis. Also resolves while Redis is unreachable. */
export async function openWakeChannel(redisUrl: string): Promise<WakeChannel> {
  const publisher = await connectRedis(redisUrl);
  const own = randomUUID();
  const subscribers: (typeof publisher)[] = [];
  let isClosed = false;
  let isPublishing = false;
  let isAnnounced = false;

  async function publish(): Promise<void> {
    isPublishing = true;
    isAnnounced = false;
    await publisher.publish(CHANNEL, own).catch(() => undefined);
    // Announcements in this time become one message.
    setTimeout(() => {
      isPublishing = false;
      if (isAnnounced) void publish();
    }, INTERVAL_MS).unref();
  }

  return {
    announce() {
      isAnnounced = true;
      if (!isPublishing) void publish();
    },
    async listen(heard) {
      const subscriber = await connectRedis(redisUrl);
      if (isClosed) return subscriber.disconnect();
      subscribers.push(subscriber);
      subscriber.on('message', (_channel: string, from: string) => {
        if (from !== own) heard();
      });
      const subscribe = () => subscriber.subscribe(CHANNEL).catch(() => undefined);
      subscriber.on('ready', () => void subscribe());
      if (subscriber.status === 'ready') await subscribe();
    },
    close() {
      isClosed = true;
      for (const connection of [publisher, ...subscribers]) connection.disconnect();
    },
  };
}
