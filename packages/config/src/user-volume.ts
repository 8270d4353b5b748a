import { type Cursor } from './cursor.ts';
import { checkName } from './document-name.ts';
import { readEncryption } from './encryption.ts';
import { readFilesystem } from './filesystem.ts';
import { readMount } from './mount.ts';
import { readProvisioning } from './provisioning.ts';
import { readTrim } from './trim.ts';
import { type UserVolume } from './types.ts';
import { type Vault } from './vault.ts';

/** A user volume is at least this large unless its document says otherwise. */
const defaultMinSize = 100n << 20n;

export function readUserVolume(root: Cursor, vault: Vault): UserVolume | undefined {
  const name = root.get('name')?.text();
  if (name !== undefined) checkName(root, name);
  const type = root.get('volumeType')?.text() === 'disk' ? 'disk' : 'partition';
  const provisioning = readProvisioning(root, {
    rules: type,
    defaults: { minSize: defaultMinSize, grow: false },
  });
  const encryption = readEncryption(root.get('encryption'), { vault, state: false });
  const filesystem = readFilesystem(root.get('filesystem'));
  const trim = readTrim(root);
  if (name === undefined) return undefined;
  return {
    kind: 'user',
    name,
    id: `u-${name}`,
    volumeType: type,
    provisioning,
    filesystem,
    ...(encryption === undefined ? {} : { encryption }),
    mount: readMount(root.get('mount')),
    ...(trim === undefined ? {} : { trim }),
  };
}
