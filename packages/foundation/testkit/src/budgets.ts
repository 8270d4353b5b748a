import type { FileNote } from './notes.ts';
import { type Rung, rungOf } from './rungs.ts';

/** Seconds that a test file may take, on two processors with nothing else to do. */
const budgets: Readonly<Record<Rung, number>> = { unit: 10, root: 25, vm: 90, fault: 90 };

type Exception = { readonly seconds: number; readonly reason: string };

/** Files that need more, and what for. */
export const exceptions: Readonly<Record<string, Exception>> = {
  'packages/storage/volumes/test/crash.test.ts': {
    seconds: 40,
    reason: 'a kill and a power cut at every change',
  },
  'packages/contract/config/test/parse-fuzz.test.ts': { seconds: 30, reason: 'so many broken documents' },
  'packages/storage/luks/test/hostile-header.test.ts': {
    seconds: 30,
    reason: 'headers damaged in so many ways',
  },
  'packages/storage/luks/test/header-restore.test.ts': {
    seconds: 25,
    reason: 'a stop at every write of a restore',
  },
  'packages/storage/keys/test/real-crash.test.ts': {
    seconds: 20,
    reason: 'a stop at every write of a real header',
  },
  'packages/network/bpf/test/fuzz.test.ts': { seconds: 30, reason: 'a million texts' },
  'packages/storage/tpm/test/fuzz.test.ts': { seconds: 30, reason: '400 000 damaged logs' },
  'packages/storage/block/test/partitions/partitions.test.ts': {
    seconds: 15,
    reason: 'tables on files, each change synced',
  },
  'packages/storage/keys/test/systemd.test.ts': { seconds: 15, reason: "systemd's own program as the peer" },
  'packages/storage/luks/test/header-rules.test.ts': {
    seconds: 18,
    reason: 'every rule broken, beside cryptsetup',
  },
  'packages/network/capture/test/decode-hostile.test.ts': {
    seconds: 16,
    reason: 'a million hostile packets',
  },
  'packages/storage/block/test/partitions/partition-crash.root.test.ts': {
    seconds: 60,
    reason: 'a crash at every write of a table',
  },
  'packages/storage/block/test/wipe/blank.root.test.ts': {
    seconds: 45,
    reason: 'whole disks are overwritten',
  },
  'packages/storage/volumes/test/provision.root.test.ts': {
    seconds: 50,
    reason: 'volumes of every kind, for real',
  },
  'packages/storage/volumes/test/kinds.root.test.ts': {
    seconds: 35,
    reason: 'volumes of every kind, for real',
  },
  'packages/network/capture/test/cycles.netns.root.test.ts': {
    seconds: 40,
    reason: 'captures come and go by the hundred',
  },
  'packages/apps/agent/test/kvstore.root.test.ts': { seconds: 45, reason: 'members join, fail and leave' },
  'packages/apps/agent/test/killed-under-streams.fault.test.ts': {
    seconds: 120,
    reason:
      'three lives of an agent, and four clients on terminals that wait longer each time before they call again',
  },
  'packages/apps/agent/test/kvstore-recovery.root.test.ts': {
    seconds: 45,
    reason: 'members lost and restored',
  },
  'packages/apps/osctl/test/rotate-ca.test.ts': {
    seconds: 18,
    reason: 'thirteen clusters of three nodes, whose authorities are replaced over a thousand handshakes',
  },
  'packages/foundation/testkit/test/new/new.root.test.ts': {
    seconds: 35,
    reason: 'a copy of the checkout is compiled',
  },
  'packages/storage/volumes/test/encrypted.vm.test.ts': {
    seconds: 160,
    reason: 'the first file of its machine, whose start, ava and modules are half of it',
  },
  'packages/apps/agent/test/pressure.vm.test.ts': {
    seconds: 120,
    reason: 'real memory hogs in an emulated machine',
  },
  'hw-tests/test/container-cluster.root.test.ts': {
    seconds: 90,
    reason: 'a kvstore of three nodes and the certificate of a worker: seven nodes in four clusters',
  },
  'hw-tests/test/container-kills.root.test.ts': {
    seconds: 50,
    reason: 'who creates a cluster is killed at each step, and it is made again',
  },
  'hw-tests/test/documents.vm.test.ts': {
    seconds: 150,
    reason:
      'a boot, documents made true and taken back, a clock that catches up, an agent that hangs, and a watchdog that bites',
  },
  'hw-tests/test/node-keys.vm.test.ts': {
    seconds: 560,
    reason: 'every kind of key of a node, through rotations and restarts',
  },
  'hw-tests/test/agent-e2e.vm.test.ts': {
    seconds: 280,
    reason: 'a blank machine, its volumes, and both again after a reboot',
  },
  'hw-tests/test/provisioning-kill.fault.test.ts': {
    seconds: 180,
    reason: 'a kill at every step of provisioning',
  },
  'hw-tests/test/start.vm.test.ts': {
    seconds: 150,
    reason: 'npm start and stop, with a machine and on the host',
  },
  'hw-tests/test/sealed-keys.vm.test.ts': { seconds: 150, reason: 'reboots with a TPM and Secure Boot' },
  'hw-tests/test/trim.vm.test.ts': { seconds: 120, reason: 'disks behind three drivers, and a power cut' },
  'hw-tests/test/rotation.fault.test.ts': {
    seconds: 120,
    reason: 'a power cut at every write of a rotation',
  },
  'hw-tests/test/volume-crash.fault.test.ts': {
    seconds: 140,
    reason: 'a power cut at every write of a first run',
  },
  'hw-tests/test/kvstore.vm.test.ts': {
    seconds: 110,
    reason: 'a node loses its disk and gets its kvstore back',
  },
  'hw-tests/test/install.vm.test.ts': {
    seconds: 190,
    reason: 'a CD by UEFI, an installation of a real release, the disk by UEFI, and a reboot past it',
  },
  'hw-tests/test/bios-upgrade.vm.test.ts': {
    seconds: 245,
    reason:
      'three starts of the node OS by GRUB, upgrades that are refused, replaced and done, and a minute in which a release proves itself',
  },
  'hw-tests/test/bios-upgrade.fault.test.ts': {
    seconds: 220,
    reason: 'two starts of the node OS by GRUB, three that hang, and thirty states of a disk',
  },
  'hw-tests/test/presets.vm.test.ts': {
    seconds: 160,
    reason: 'a start from the network, an installation of a real release, and the disk by UEFI',
  },
  'hw-tests/test/first-process.fault.test.ts': {
    seconds: 460,
    reason: 'five minutes in which a disk does not answer, and three machines that fail',
  },
  'hw-tests/test/install-by-api.fault.test.ts': {
    seconds: 300,
    reason: 'two machines, each started from a medium, installed through a fleet, and started from its disk',
  },
  'hw-tests/test/install-cuts.fault.test.ts': {
    seconds: 240,
    reason: 'an installation of a real release, and thirty states of its disk',
  },
  'hw-tests/test/machine.vm.test.ts': { seconds: 120, reason: 'disks of every kind come, grow and go' },
};

export function budgetOf(file: string): number {
  return exceptions[file]?.seconds ?? budgets[rungOf(file)];
}

/** The `count` files that took longest, as lines of a table; none when nothing ran. */
export function slowest(notes: readonly FileNote[], count: number): string[] {
  const longest = notes.toSorted((one, other) => other.seconds - one.seconds).slice(0, count);
  if (longest.length === 0) return [];
  const width = Math.max(...longest.map(({ file }) => file.length));
  const rows = longest.map(({ file, seconds }) => {
    const numbers = [seconds.toFixed(1), String(budgetOf(file))].map((number) => number.padStart(8));
    return `  ${file.padEnd(width)}${numbers.join('')}`;
  });
  return [`  ${'slowest files'.padEnd(width)} seconds  budget`, ...rows];
}

/** A line for each file over its budget. */
export function overBudget(notes: readonly FileNote[]): string[] {
  return notes
    .filter(({ file, seconds }) => seconds > budgetOf(file))
    .map(({ file, seconds }) => `over budget: ${file} took ${seconds.toFixed(1)} s of ${budgetOf(file)} s`);
}
