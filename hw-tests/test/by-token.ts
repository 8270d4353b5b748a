import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { cacheDirectory } from '../src/paths.ts';

/** What `scripts/setup` has unpacked where the machine's own systemd is older than 254, and can't open what we seal. */
const unpacked = join(cacheDirectory, 'systemd', 'lib');
const plugin = 'libcryptsetup-token-systemd-tpm2.so';

/** The machine's own systemd seals under the first template, and opens nothing else. */
export const hasOlderSystemd: boolean = existsSync(unpacked);

/** Has cryptsetup open a volume by a token that it knows itself, with systemd's plugin. */
export function byTokenAlone(...volume: readonly string[]): readonly [string, ...string[]] {
  const open = ['cryptsetup', 'open', '--token-only', '--batch-mode', ...volume] as const;
  if (!hasOlderSystemd) return open;
  const script = `for own in /usr/lib/*/cryptsetup/${plugin}; do mount --bind ${unpacked}/${plugin} $own; done; exec "$@"`;
  return ['env', `LD_LIBRARY_PATH=${unpacked}`, 'unshare', '--mount', 'sh', '-ec', script, 'sh', ...open];
}
