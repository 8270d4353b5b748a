import type { SignatureUsage } from '../inventory.ts';

// Names that operators write in selectors, where they differ from libblkid's.
const neutral: ReadonlyMap<string, string> = new Map([
  ['LVM2_member', 'lvm2-pv'],
  ['zfs_member', 'zfs'],
  ['ceph_bluestore', 'bluestore'],
  ['VMFS', 'vmfs'],
  ['VMFS_volume_member', 'vmfs-volume'],
]);

/** The neutral name of what libblkid calls `type`. The two versions of LUKS share a type there and nothing else. */
export function contentName(type: string, version: string): string {
  if (type === 'crypto_LUKS') return version === '1' ? 'luks1' : 'luks';
  return neutral.get(type) ?? type;
}

/** What libblkid's `USAGE` says a superblock is for. */
export function signatureUsage(usage: string | undefined): SignatureUsage {
  return usage === 'filesystem' || usage === 'raid' || usage === 'crypto' ? usage : 'other';
}
