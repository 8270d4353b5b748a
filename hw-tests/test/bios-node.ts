import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { grubFiles, type GrubFilesOptions } from '@nodecore/boot';
import { readPe } from '@nodecore/efi';
import { diskImage } from '@nodecore/image';
import { consoleFile, consoleSays, Machine, type PowerOffReason } from '@nodecore/machine';
import { output, temporaryDirectory } from '@nodecore/testkit';
import { assembleUki } from '@nodecore/uki';
import type { View } from '@nodecore/view';
import { systemClock } from '@nodecore/waiting';
import type { ExecutionContext } from 'ava';

import {
  installerKey,
  type InstallerOptions,
  serveInstaller,
} from '../../packages/apps/agent/test/installer-registry.ts';
import { nodeSecrets } from '../src/node/credentials.ts';
import { nodeImage } from '../src/node-image.ts';
import { freePort } from './agent-node.ts';
import type { ModuleExtensions } from './module-extensions.ts';
import { osctlHere, type OsctlResult } from './osctl.ts';
import { grubPrograms, systemdBoot } from './tiny-system.ts';

export const biosDiskBytes: number = 4 * 1024 ** 3;
const head = (kind: string): string => `---\napiVersion: v1alpha1\nkind: ${kind}\n`;
const documents = [
  `${head('VolumeConfig')}name: EPHEMERAL\nprovisioning: {minSize: 512MiB, maxSize: 512MiB}\n`,
  `${head('KernelModuleConfig')}name: drbd\n`,
  `${head('KernelModuleConfig')}name: dummy\n`,
  `${head('UserVolumeConfig')}name: b\nfilesystem: {type: btrfs}\nprovisioning: {diskSelector: {match: 'disk.serial == "SYSTEM"'}, maxSize: 150MiB}\n`,
  // Nobody tells the time here, and the node waits for nobody.
  `${head('TimeSyncConfig')}enabled: false\n`,
];
const pollMs = 500;

/** A node with a BIOS, which GRUB starts, on a network where it reaches installer images of this test. */
export type BiosNode = {
  readonly machine: Machine;
  readonly disk: string;
  /** The disk before the recorded boot, and what was written to it in that one, when it is over. */
  readonly kept: { readonly base: string; readonly record: string };
  /** Why the machine went off, each time, and what it had written until then. */
  readonly reasons: readonly PowerOffReason[];
  readonly consoles: readonly string[];
  /** Waits for its maintenance, and gives it its first configuration. */
  readonly configure: () => Promise<void>;
  /** What it writes to its disk in the boot that runs. */
  readonly record: string;
  /** osctl as its administrator. */
  readonly osctl: (...words: readonly string[]) => Promise<OsctlResult>;
  /** Asks until the answer is as it shall be. @returns that. */
  readonly until: (words: readonly string[], expected: RegExp) => Promise<string>;
  /** Makes an installer image that the node trusts, unless it is changed. @returns its reference. */
  readonly serve: (version: string, image: View, changes?: Partial<InstallerOptions>) => Promise<string>;
};

export type BiosNodeOptions = {
  /** Its boot menu. */
  readonly entries: readonly GrubFilesOptions['entry'][];
  readonly key: ReturnType<typeof installerKey>;
  /** The boot, counted from 0, whose writes are kept for {@link cutUpgrade}. */
  readonly recordedBoot: number;
  /** Of everything that is waited for. */
  readonly signal: AbortSignal;
};

/** The node OS as a release of this version, which trusts the key: its root says the version, too. */
export async function biosRelease(
  imageVersion: string,
  key: ReturnType<typeof installerKey>,
  modules?: ModuleExtensions,
): Promise<View> {
  const osrel = [
    'ID=nodeos',
    'IMAGE_ID=nodeos',
    `VERSION_ID=${imageVersion}`,
    `IMAGE_VERSION=${imageVersion}`,
    '',
  ].join('\n');
  const { stub, kernel, kernelVersion, initrd, commandLine } = await nodeImage(
    {
      ...modules?.layer,
      'usr/lib/os-release': osrel,
      'usr/share/nodeos/installer-keys/test.pub': key.pem,
    },
    { ...(modules && { extensions: modules.extensions }) },
  );
  return await assembleUki({
    stub,
    sections: { osrel, cmdline: commandLine, uname: kernelVersion, linux: kernel, initrd },
  });
}

/** Makes the machine, which is off. It goes with the test. */
export async function biosNode(
  t: ExecutionContext,
  { entries, key, recordedBoot, signal }: BiosNodeOptions,
): Promise<BiosNode> {
  const directory = await temporaryDirectory(t);
  const port = await freePort();
  const files = await grubFiles({ entries, readSections: readPe });
  const disk = join(directory, 'node.raw');
  const grub = { files, programs: await grubPrograms(directory) };
  await diskImage({ recipe: 'a node with a BIOS', sizeBytes: biosDiskBytes, grub }).writeTo(disk);
  const [record, kept, base] = ['record', 'kept', 'base.raw'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  /** While it is off: a machine writes over the record of its former boot. */
  const prepare = async (boot: number): Promise<void> => {
    if (boot === recordedBoot) await output(['cp', '--sparse=always', disk, base]);
    if (boot === recordedBoot + 1) await rename(record, kept);
    await writeFile(record, '');
  };
  await prepare(0);
  const [reasons, consoles]: [PowerOffReason[], string[]] = [[], []];
  const machine = await Machine.open(
    {
      name: 'bios',
      uuid: randomUUID(),
      firmware: 'bios',
      tpm: 'none',
      memoryMib: 1024,
      cpus: 2,
      durability: 'none',
      watchdog: 'reset',
      disks: [{ driver: 'virtio', sizeBytes: biosDiskBytes, serial: 'SYSTEM', file: disk, record }],
      nics: [{ backend: { kind: 'user', restricted: false, forwards: [{ host: port, guest: 50_000 }] } }],
    },
    {
      directory,
      onState: (state, reason) => {
        if (state !== 'off' || reason === undefined) return;
        reasons.push(reason);
        // A start anew is one for this machine, as it would be for any other.
        if (reason === 'guest-reset')
          void readFile(join(directory, consoleFile), 'latin1')
            .then((text) => consoles.push(text))
            .then((boot) => prepare(boot))
            .then(() => machine.powerOn());
      },
    },
  );
  t.teardown(() => machine.close());
  const secrets = await nodeSecrets('virtual-node', directory, port);
  const here = osctlHere(secrets.osconfig);
  const osctl = (...words: readonly string[]): Promise<OsctlResult> =>
    here('-n', `127.0.0.1:${port}`, ...words);
  const until = async (words: readonly string[], expected: RegExp): Promise<string> => {
    for (;;) {
      const { stdout, stderr } = await osctl(...words);
      if (expected.test(stdout + stderr)) return stdout;
      if (signal.aborted) throw new Error(`${words.join(' ')}: ${stdout}${stderr}`);
      await systemClock.sleep(pollMs); // each question costs the node a connection
    }
  };
  return {
    machine,
    disk,
    record,
    kept: { base, record: kept },
    reasons,
    consoles,
    osctl,
    until,
    configure: async () => {
      await consoleSays(directory, 'maintenance on port', signal);
      const path = join(directory, 'node.yaml');
      const root = (await readFile(secrets.controlplane, 'utf8')).trimEnd();
      await writeFile(path, [root, ...documents].join('\n'), { mode: 0o600 });
      const words = ['apply-config', '--insecure', '-f', path];
      await until(words, /^(?![\s\S]*(?:ECONN|reach|UNAVAILABLE))/i); // it has no address yet
    },
    serve: async (version, image, changes) => {
      const loader = await (await systemdBoot()).bytes();
      const made = await serveInstaller(t, { key, version, uki: await image.bytes(), loader, ...changes });
      return made.reference.replace('127.0.0.1', '10.0.2.2');
    },
  };
}
