import { type Cursor } from './cursor.ts';
import { readEncryption } from './encryption.ts';
import { readMount } from './mount.ts';
import { readAllocationGroupSize } from './filesystem.ts';
import { readProvisioning } from './provisioning.ts';
import { readTrim } from './trim.ts';
import { type SystemVolume, type SystemVolumeName } from './types.ts';
import { type Vault } from './vault.ts';

const MiB = 1n << 20n;
const GiB = 1n << 30n;

/** Known to the interface, not served by this version. */
const notOffered: ReadonlySet<string> = new Set(['IMAGECACHE', 'ETCD', 'CRI', 'KUBELET', 'LOG', 'META']);

/**
 * What a system volume is without a document, and what a document starts from. The one place for these defaults:
 * writing an EPHEMERAL document for some other reason must not change `secure`, which is true with and without it.
 */
export function defaultSystemVolume(name: SystemVolumeName): SystemVolume {
  const common = {
    kind: 'system',
    name,
    id: name,
    filesystem: { type: 'xfs', projectQuotaSupport: false },
    mount: { secure: true, disableAccessTime: false },
  } as const;
  if (name === 'STATE') {
    const maxSize = { kind: 'bytes', bytes: 100n * MiB, negative: false, text: '100MiB' } as const;
    return { ...common, provisioning: { minSize: 100n * MiB, maxSize, grow: false } };
  }
  return { ...common, provisioning: { minSize: 2n * GiB, grow: true } };
}

export function readSystemVolume(root: Cursor, vault: Vault): SystemVolume | undefined {
  const name = root.get('name')?.text();
  if (name === undefined) return undefined;
  if (name !== 'STATE' && name !== 'EPHEMERAL') {
    const known = notOffered.has(name);
    const message = known ? `${name} is not offered by this version` : 'must be STATE or EPHEMERAL';
    root.problemAt('name', known ? 'volume.not_offered' : 'invalid_value', message);
    return undefined;
  }
  const defaults = defaultSystemVolume(name);
  if (name === 'STATE') {
    for (const field of ['provisioning', 'mount'] as const) {
      root.get(field)?.problem('state.fixed', `STATE has a fixed place and size: it takes no ${field}`);
    }
  }
  const encryption = readEncryption(root.get('encryption'), { vault, state: name === 'STATE' });
  const trim = readTrim(root);
  const groupSize = readAllocationGroupSize(root.get('filesystem')?.get('xfs'));
  return {
    ...defaults,
    provisioning:
      name === 'STATE'
        ? defaults.provisioning
        : readProvisioning(root, { rules: 'system', defaults: defaults.provisioning }),
    filesystem: {
      ...defaults.filesystem,
      ...(groupSize === undefined ? {} : { xfsMinAllocationGroupSize: groupSize }),
    },
    mount: name === 'STATE' ? defaults.mount : readMount(root.get('mount')),
    ...(encryption === undefined ? {} : { encryption }),
    ...(trim === undefined ? {} : { trim }),
  };
}
