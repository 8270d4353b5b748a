import { type Cursor } from './cursor.ts';
import { checkName } from './document-name.ts';
import { readEncryption } from './encryption.ts';
import { readProvisioning } from './provisioning.ts';
import { type RawVolume, type SwapVolume } from './types.ts';
import { defaultMinSize } from './user-volume.ts';
import { type Vault } from './vault.ts';

type Parts = Pick<RawVolume, 'name' | 'provisioning' | 'encryption'>;

/** Reads a `RawVolumeConfig`. */
export function readRawVolume(root: Cursor, vault: Vault): RawVolume | undefined {
  const parts = readParts(root, vault);
  return parts && { kind: 'raw', id: `r-${parts.name}`, ...parts };
}

/** Reads a `SwapVolumeConfig`. */
export function readSwapVolume(root: Cursor, vault: Vault): SwapVolume | undefined {
  const parts = readParts(root, vault);
  return parts && { kind: 'swap', id: `s-${parts.name}`, ...parts };
}

function readParts(root: Cursor, vault: Vault): Parts | undefined {
  const name = root.get('name')?.text();
  if (name !== undefined) checkName(root, name);
  const provisioning = readProvisioning(root, {
    rules: 'partition',
    defaults: { minSize: defaultMinSize, grow: false },
  });
  const encryption = readEncryption(root.get('encryption'), { vault, state: false });
  if (name === undefined) return undefined;
  return { name, provisioning, ...(encryption === undefined ? {} : { encryption }) };
}
