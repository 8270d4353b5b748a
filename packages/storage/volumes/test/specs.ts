import { compileDiskSelector } from '@nodecore/selector';
import type { Encryption, KeyEntry } from '@nodecore/config';
import { Secret } from '@nodecore/sys';

import { filesystemLabel, type FilesystemSpec, type MountSpec, type VolumeSpec } from '../src/index.ts';

/** What has a filesystem of ours, and is mounted. */
export type Mounted = VolumeSpec & { readonly filesystem: FilesystemSpec; readonly mount: MountSpec };

const mebibyte = 1n << 20n;

export function passphrase(slot: number, text: string): KeyEntry {
  return { slot, lockToState: false, kind: 'static', passphrase: Secret.take(Buffer.from(text)) };
}

export function nodeId(slot: number): KeyEntry {
  return { slot, lockToState: false, kind: 'nodeID' };
}

export function kms(slot: number, endpoint: string = 'grpcs://kms.example:4050'): KeyEntry {
  return { slot, lockToState: false, kind: 'kms', endpoint };
}

export function encryption(...keys: KeyEntry[]): Encryption {
  return {
    provider: 'luks2',
    keys: keys.length === 0 ? [passphrase(0, 'correct horse'), nodeId(1)] : keys,
    cipher: 'aes-xts-plain64',
    keySizeBits: 512,
    options: [],
    allowDiscards: false,
  };
}

/** A user volume of 500 MiB at least, on whatever disk matches. */
export function userSpec(name: string, match: string, change: Partial<Mounted> = {}): Mounted {
  const id = `u-${name}`;
  return {
    id,
    kind: 'user',
    type: 'partition',
    provision: true,
    disks: compileDiskSelector(match),
    partition: {
      typeGuid: '0FC63DAF-8483-4772-8E79-3D69D8477DE4',
      minSize: 500n * mebibyte,
      maxSize: { kind: 'bytes', bytes: 1000n * mebibyte, negative: false, text: '1000MiB' },
      grow: false,
    },
    filesystem: { type: 'xfs', label: filesystemLabel(id, 'xfs'), projectQuotaSupport: false },
    mount: {
      target: `/var/mnt/${name}`,
      mode: 0o755,
      flags: { readOnly: false, nosuid: true, nodev: true, noexec: true, noatime: false },
    },
    after: [],
    recorded: true,
    ...change,
  };
}

export function diskSpec(name: string, match: string, change: Partial<Mounted> = {}): Mounted {
  const { partition: _partition, ...rest } = userSpec(name, match);
  return { ...rest, type: 'disk', ...change };
}
