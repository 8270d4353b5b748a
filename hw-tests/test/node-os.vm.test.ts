import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { consoleSays, Machine } from '@nodecore/machine';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';

import { directBoot, nodeImage } from '../src/node-image.ts';
import { freePort } from './agent-node.ts';
import { type OsctlResult, osctlWith } from './osctl.ts';

const schematic = 'a'.repeat(64);
const extensions = `layers:
  - image: schematic
    metadata: { name: schematic, version: ${schematic}, author: '', description: '', extraInfo: '', source: 'http://127.0.0.1:8081' }
`;

testWith(program('qemu-system-x86_64'))(
  'our own node OS boots to maintenance, answers over TLS, shows its schematic, and obeys the power button',
  async (t) => {
    t.timeout(170_000);
    const directory = await temporaryDirectory(t);
    const port = await freePort();
    const image = await nodeImage({
      [`usr/local/share/schematic/${schematic}`]: '',
      'system/extensions.yaml': extensions,
    });
    const boot = await directBoot(directory, image);
    await using machine = await Machine.open(
      {
        name: 'node-os',
        uuid: randomUUID(),
        firmware: 'bios',
        tpm: 'none',
        memoryMib: 768,
        cpus: 1,
        durability: 'none',
        disks: [{ driver: 'virtio', sizeBytes: 1024 ** 3, serial: 'BLANK' }],
        boot,
        nics: [{ backend: { kind: 'user', forwards: [{ host: port, guest: 50_000 }] } }],
      },
      { directory },
    );
    await machine.powerOn();
    await consoleSays(directory, 'nodecore: maintenance', AbortSignal.timeout(120_000));
    const osctl = osctlWith(join(directory, 'config'));
    const ask = (...words: string[]): Promise<OsctlResult> =>
      osctl('-n', `127.0.0.1:${port}`, ...words, '--insecure');
    let version = await ask('version');
    while (version.code !== 0 && machine.state === 'running') version = await ask('version'); // no address yet
    t.regex(version.stdout, /waiting for its first configuration/);
    const disks = await ask('get', 'disks');
    t.regex(disks.stdout, /vda.*BLANK/);
    t.notRegex(disks.stdout, /loop/, 'what the root is read from is no disk of the node');
    const layers = await ask('get', 'extensionstatuses', '-o', 'yaml');
    t.regex(layers.stdout, new RegExp(schematic), layers.stderr);
    // What asks for its address is a service, with a process and a cgroup of its own.
    const services = await ask('service');
    t.regex(services.stdout, / dhcpcd-\w+ +Running +/u, services.stderr);
    const status = await ask('get', 'services', '-o', 'yaml');
    t.notRegex(status.stdout, /missingLimits/u);
    t.regex((await ask('logs', 'chronyd')).stderr, /service "chronyd" not defined/u);
    await machine.powerOff({ graceMs: 60_000 });
    t.is(machine.reason, 'guest-shutdown');
  },
);
