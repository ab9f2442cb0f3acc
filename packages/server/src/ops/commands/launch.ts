import { OPERATOR, openChange } from '../../change.ts';
import type { Config } from '../../config/config.ts';
import { addressOf, publicAddressProblem } from '../../config/public-address.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { isoTime } from '../../kernel/clock.ts';
import { createSealer } from '../../kernel/seal.ts';
import { issueLaunchToken } from '../../launch/issue-launch-token.ts';
import { createLaunchSigner } from '../../launch/launch-signer.ts';
import { limitClient } from '../../launch/limit-client.ts';
import { ensureSigningKey } from '../../launch/signing-keys.ts';
import { readSandboxFile } from '../../sandbox/sandbox-file.ts';
import { CommandError } from '../command-error.ts';
import { loadMasterKeys } from '../data-dir.ts';
import type { Operator } from './operator.ts';
import { tenantOf } from './tenant-of.ts';

interface LaunchOptions {
  readonly tenant: string;
  readonly client: string;
  readonly user: string;
  readonly module: string;
  readonly group?: string;
}

/** Issues a launch token for any user, with an entry in the tenant's audit trail. */
export async function launchModule({ db, config, now }: Operator, options: LaunchOptions) {
  const { tenant: tenantId, client: clientId, user: userId, module: moduleSlug, group: groupId } = options;
  await tenantOf(db, tenantId);
  const sealer = createSealer(loadMasterKeys(config));
  const issuer = await issuerOf(config);
  await ensureSigningKey({ db, sealer }, now);
  const signer = createLaunchSigner({ sealer, issuer: () => issuer });
  const { token, claims, module } = await unitOfWork(db, (transaction) => {
    const change = openChange({ db, tenantId, now }, transaction, OPERATOR);
    return issueLaunchToken(change, signer, { moduleSlug, clientId, userId, groupId });
  });
  return { token, launch_url: module.launchUrl.href, expires_at: isoTime(claims.exp * 1000) };
}

/** Limits the capabilities of a client; null removes the limit. */
export async function limitClientOf(
  { db, now }: Operator,
  tenantId: string,
  clientId: string,
  capabilities: readonly string[] | null,
) {
  await unitOfWork(db, (transaction) =>
    limitClient(openChange({ db, tenantId, now }, transaction, OPERATOR), clientId, capabilities),
  );
  return { client_id: clientId, capabilities: capabilities ?? 'all of its tenant' };
}

/** Returns the issuer of the running server. In development, its address may be known only from the sandbox file. */
async function issuerOf(config: Config): Promise<string> {
  const { issuer, baseUrl, mode, dataDir, host, port } = config;
  const told = issuer ?? baseUrl;
  if (told !== null) return told;
  const running = mode === 'development' ? (await readSandboxFile(dataDir))?.base_url : undefined;
  if (running !== undefined) return running;
  const problem = publicAddressProblem(config);
  if (problem !== null) throw new CommandError(problem);
  if (port === 0) throw new CommandError('the address of the server is unknown; set PLAT_BASE_URL');
  return addressOf(host, port);
}
