/**
 * The methods that commands call, by the words of the command. A group's own name stands for all of its commands. A command that asks
 * no node needs none.
 */
export const needs: Readonly<Record<string, readonly string[]>> = {
  'apply-config': ['MachineService/ApplyConfiguration'],
  auth: ['MachineService/Access'],
  bootstrap: ['KvstoreService/Bootstrap'],
  cgroups: ['CgroupService/Read', 'CgroupService/Watch'],
  completion: [],
  config: [],
  disks: ['ResourceService/List'],
  edit: ['MachineService/ApplyConfiguration'],
  gen: [],
  get: ['ResourceService/Get', 'ResourceService/List', 'ResourceService/Watch'],
  'kvstore alarm list': ['KvstoreService/Alarms'],
  'kvstore alarm disarm': ['KvstoreService/DisarmAlarms'],
  'kvstore defrag': ['KvstoreService/Defragment'],
  'kvstore downgrade': ['KvstoreService/Downgrade'],
  'kvstore forfeit-leadership': ['KvstoreService/ForfeitLeadership'],
  'kvstore leave': ['KvstoreService/Leave'],
  'kvstore members': ['KvstoreService/Members'],
  'kvstore recover-space': ['KvstoreService/RecoverSpace'],
  'kvstore remove-member': ['KvstoreService/RemoveMember'],
  'kvstore snapshot': ['KvstoreService/Snapshot'],
  'kvstore status': ['KvstoreService/Status'],
  'kvstore verify': [],
  machineconfig: [],
  mounts: ['MachineService/Mounts'],
  patch: ['MachineService/ApplyConfiguration'],
  pcap: ['CaptureService/Capture'],
  pressure: ['CgroupService/Pressure'],
  reset: ['StorageService/Reset'],
  trim: ['TrimService/Trim'],
  validate: [],
  version: ['MachineService/Version'],
  'volume header-backup': ['VolumeService/BackupHeader'],
  'volume header-restore': ['VolumeService/RestoreHeader'],
  'volume recovery-key': ['VolumeService/AddRecoveryKey'],
  'volume rotate-keys': ['VolumeService/RotateKeys'],
  'wipe disk': ['StorageService/Wipe'],
  'wipe volume': ['StorageService/WipeVolumes'],
};

/** @returns undefined when the words name no command. */
export function needsOf(words: string): readonly string[] | undefined {
  if (Object.hasOwn(needs, words)) return needs[words];
  const group = Object.entries(needs).filter(([name]) => name.startsWith(`${words} `));
  return group.length === 0 ? undefined : group.flatMap(([, methods]) => methods);
}
