import { openWakeChannel } from '@plat/server/testing';
import { expect, test } from 'vitest';
import { hasRedis, startRedis } from '../support/redis.ts';

test.runIf(hasRedis())(
  'a wake-up reaches the other processes, also after a restart of Redis, and not its sender',
  async () => {
    let redis = await startRedis();
    const channels = [await openWakeChannel(redis.url), await openWakeChannel(redis.url)] as const;
    const heard = [0, 0];
    await Promise.all(channels.map((channel, i) => channel.listen(() => heard.splice(i, 1, (heard[i] ?? 0) + 1))));
    for (let i = 0; i < 100; i++) channels[0].announce();
    await expect.poll(() => heard[1]).toBeGreaterThan(0);
    expect(heard[0]).toBe(0);
    // Announcements close together become one message.
    expect(heard[1]).toBeLessThan(100);

    const { port } = new URL(redis.url);
    await redis.kill();
    channels[0].announce();
    redis = await startRedis(Number(port));
    const before = heard[1] ?? 0;
    await expect
      .poll(() => {
        channels[0].announce();
        return heard[1];
      })
      .toBeGreaterThan(before);
    for (const channel of channels) channel.close();
    await redis.stop();
  },
);
