import type { Platform } from '@plat/sdk';
import { type CommandContext, note } from '../command/context.ts';
import type { Seed } from './seed-file.ts';

/**
 * Creates missing objects. Clients and groups are identified by slug, or else by name; users by e-mail address;
 * endpoints by URL. Existing objects are unchanged.
 */
export async function createSeed(context: CommandContext, platform: Platform, seed: Seed): Promise<void> {
  let created = 0;
  const createUnlessPresent = async (
    what: string,
    isPresent: () => Promise<boolean>,
    create: () => Promise<unknown>,
  ): Promise<void> => {
    try {
      if (await isPresent()) return;
      await create();
      created += 1;
    } catch (error) {
      await note(context, `--seed: ${what} was refused`);
      throw error;
    }
  };
  const isNamed = (given: { slug?: string; name: string }) => (other: { slug: string; name: string }) =>
    given.slug === undefined ? other.name === given.name : other.slug === given.slug;
  for (const [i, client] of seed.clients.entries()) {
    const { slug } = client;
    const list = platform.clients.list({ limit: 100, ...(slug === undefined ? {} : { slug }) });
    await createUnlessPresent(
      `clients[${i}]`,
      () => some(list, isNamed(client)),
      () => platform.clients.create(client),
    );
  }
  for (const [i, group] of seed.groups.entries()) {
    const list = platform.groups.list({ limit: 100 });
    await createUnlessPresent(
      `groups[${i}]`,
      () => some(list, isNamed(group)),
      () => platform.groups.create(group),
    );
  }
  for (const [i, user] of seed.users.entries()) {
    const list = platform.users.list({ email: user.email });
    await createUnlessPresent(
      `users[${i}]`,
      () => some(list, () => true),
      () => platform.users.create(user),
    );
  }
  for (const [i, endpoint] of seed.webhook_endpoints.entries()) {
    const list = platform.webhooks.endpoints.list({ limit: 100 });
    const isSame = ({ url }: { url: string }) => url === endpoint.url;
    await createUnlessPresent(
      `webhook_endpoints[${i}]`,
      () => some(list, isSame),
      () => platform.webhooks.endpoints.create(endpoint),
    );
  }
  await note(
    context,
    created === 0 ? 'All objects of the seed already exist' : `Created ${created} objects of the seed`,
  );
}

async function some<T>(list: AsyncIterable<T>, isWanted: (item: T) => boolean): Promise<boolean> {
  for await (const item of list) {
    if (isWanted(item)) return true;
  }
  return false;
}
