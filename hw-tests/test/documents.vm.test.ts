import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { diskImage } from '@nodecore/image';
import { consoleSays, Machine } from '@nodecore/machine';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';

import { nodeSecrets } from '../src/node/credentials.ts';
import { directBoot, nodeImage } from '../src/node-image.ts';
import { freePort } from './agent-node.ts';
import { type OsctlResult, osctlWith } from './osctl.ts';

const head = (kind: string): string => `---\napiVersion: v1alpha1\nkind: ${kind}\n`;

/** What is seen from inside when it is there, and when it is gone. */
const documents = [
  `${head('VolumeConfig')}name: EPHEMERAL\nprovisioning: {minSize: 512MiB, maxSize: 1GiB}\n`,
  `${head('SysctlConfig')}params: {vm.swappiness: 11, kernel.absent: 1}\n`,
  `${head('ZswapConfig')}maxPoolPercent: 13\n`,
  `${head('KernelModuleConfig')}name: zram\nparameters: [num_devices=2]\n`,
  `${head('EtcFileConfig')}name: motd.d/managed\nmode: 0o600\ncontents: managed by a document\n`,
  `${head('StaticHostConfig')}name: 10.9.8.7\nhostnames: [registry.example]\n`,
  `${head('HostnameConfig')}hostname: documented.example.org\n`,
  `${head('ResolverConfig')}nameservers: [{address: 10.0.2.3}]\nhostDNS: {enabled: true}\n`,
  `${head('WatchdogTimerConfig')}device: /dev/watchdog9\n`,
];

testWith(program('qemu-system-x86_64'))(
  'documents are made true on a node OS, read back from the kernel, and taken back when they go',
  async (t) => {
    t.timeout(600_000);
    const directory = await temporaryDirectory(t);
    const port = await freePort();
    const image = await nodeImage({ 'usr/local/share/schematic/documents': '' });
    const file = join(directory, 'node.raw');
    const sizeBytes = 4 * 1024 ** 3;
    const esp = { systemdBoot: image.stub, entries: [] };
    await diskImage({ recipe: 'documents', esp, sizeBytes }).writeTo(file);
    await using machine = await Machine.open(
      {
        name: 'documents',
        uuid: randomUUID(),
        firmware: 'bios',
        tpm: 'none',
        memoryMib: 1024,
        cpus: 2,
        durability: 'none',
        disks: [{ driver: 'virtio', sizeBytes, serial: 'SYSTEM', file }],
        boot: await directBoot(directory, image),
        nics: [{ backend: { kind: 'user', forwards: [{ host: port, guest: 50_000 }] } }],
      },
      { directory },
    );
    const secrets = await nodeSecrets('virtual-node', directory, port);
    const osctl = osctlWith(secrets.osconfig);
    const node = ['-n', `127.0.0.1:${port}`];
    await machine.powerOn();
    await consoleSays(directory, 'nodecore: maintenance', AbortSignal.timeout(180_000));

    const late = Date.now() + 400_000; // of a test that would wait for what does not come
    const root = await readFile(secrets.controlplane, 'utf8');
    const apply = async (texts: readonly string[], ...words: readonly string[]): Promise<OsctlResult> => {
      const path = join(directory, 'node.yaml');
      await writeFile(path, [root.trimEnd(), ...texts].join('\n'), { mode: 0o600 });
      return await osctl(...node, 'apply-config', ...words, '-f', path);
    };
    /** Asks until the answer is as it shall be, or the test ends. */
    const until = async (words: readonly string[], expected: RegExp): Promise<string> => {
      for (;;) {
        const { stdout, stderr } = await osctl(...node, ...words);
        if (expected.test(stdout + stderr)) return stdout;
        if (machine.state !== 'running' || Date.now() > late)
          throw new Error(`${words.join(' ')}: ${stdout}${stderr}`);
      }
    };
    let applied = await apply(documents, '--insecure');
    while (
      applied.code !== 0 &&
      machine.state === 'running' &&
      /ECONN|reach|UNAVAILABLE/i.test(applied.stderr)
    )
      applied = await apply(documents, '--insecure'); // no address yet
    t.is(applied.code, 0, applied.stderr);

    // What the agent read back from the kernel and from the files, not what it wrote.
    await until(['get', 'sysctls'], /proc\.sys\.vm\.swappiness +\d+ +11 +60 +false/);
    const parameters = await until(['get', 'sysctls'], /max_pool_percent +\d+ +13 +20 +false/);
    t.regex(parameters, /proc\.sys\.kernel\.absent.*this kernel has no such setting/);
    await until(['get', 'modules'], /zram +\d+ +module +live/);
    await until(['get', 'hostname'], /documented +example\.org/);
    await until(['get', 'etcfiles'], /motd\.d\/managed +\d+ +0o600 +21/);
    await until(['get', 'etcfiles'], /hosts +\d+ +0o644/);
    await until(['get', 'resolvers'], /10\.0\.2\.3.*example\.org.*true/);
    await until(['get', 'dnsupstreams'], /#000 10\.0\.2\.3/);
    await until(['get', 'watchdogtimerstatuses'], /\/dev\/watchdog9.*ENOENT/);

    const gone = await apply(documents.slice(0, 1));
    t.is(gone.code, 0, gone.stderr);
    const empty = /^(?!.*(?:swappiness|managed|watchdog9|10\.0\.2\.3))/s;
    for (const type of ['sysctls', 'etcfiles', 'watchdogtimerstatuses', 'dnsupstreams'])
      await until(['get', type], empty);
    await until(['get', 'hostname'], /node-[0-9a-f]{8}/);
    // Asked for again, each parameter says what it was before: the value that came back.
    await apply([...documents.slice(0, 1), `${head('SysctlConfig')}params: {vm.swappiness: 12}\n`]);
    await until(['get', 'sysctls'], /proc\.sys\.vm\.swappiness +\d+ +12 +60 +false/);
    await machine.powerOff({ graceMs: 60_000 });
    t.is(machine.reason, 'guest-shutdown');
  },
);
