import { registryCredentials, repeatable, type Terminal, UsageError } from '@nodecore/cli';
import { type Command, Option } from 'commander';

import type { ReadOptions } from '../mirror/mirror.ts';

export type AccessFlags = { readonly releaseKey: readonly string[]; readonly insecure?: true };

/** Flags of all commands that read releases. */
export function addAccessFlags(command: Command): Command {
  return command
    .addOption(
      repeatable(
        '--release-key <file>',
        'public key that signs releases, PEM; repeat it for a rotation; nothing is taken without one',
      ),
    )
    .addOption(new Option('--insecure', 'ask registries by HTTP, wherever they are'));
}

/** Whom to believe, and who the user is at registries: `auths` of docker's configuration. */
export async function readAccess(
  { releaseKey, insecure }: AccessFlags,
  { env, signal }: Terminal,
): Promise<ReadOptions> {
  if (releaseKey.length === 0) throw new UsageError('--release-key: name a public key that signs releases');
  const { loadReleaseKeys } = await import('../releases/release-keys.ts');
  return {
    keys: await loadReleaseKeys(releaseKey),
    credentialsOf: await registryCredentials(env),
    plain: insecure === true,
    signal,
  };
}
