import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { decodeServiceAccount, readSigningKey, signCall } from '@nodecore/authv1';
import { connectFleet, type FleetClient } from '@nodecore/fleet-api';
import type { ExecutionContext } from 'ava';

import type { FleetConfiguration } from '../src/configuration.ts';
import type { RunningFleet } from '../src/fleet.ts';
import { directory } from './scene.ts';

type With = { readonly with: Partial<FleetConfiguration> };

/** A fleet with its first service account, and a client that signs as that. */
export async function adminOf(
  t: ExecutionContext,
  start: (options: With) => Promise<RunningFleet>,
): Promise<{ readonly fleet: RunningFleet; readonly admin: FleetClient; readonly keyPath: string }> {
  const keyPath = join(await directory(t), 'key');
  const fleet = await start({ with: { initialServiceAccount: { name: 'automation', keyPath } } });
  const { name: identity, key: secret } = decodeServiceAccount(await readFile(keyPath, 'latin1'));
  using _secret = secret;
  const key = await readSigningKey(secret);
  const admin = connectFleet({
    url: `https://127.0.0.1:${fleet.address.port}`,
    ca: fleet.authority,
    sign: async (path, headers) => await signCall(key, { path, headers, identity }),
  });
  t.teardown(() => admin.close());
  return { fleet, admin, keyPath };
}
