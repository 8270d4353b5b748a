import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { grubFiles } from '@nodecore/boot';
import { readPe } from '@nodecore/efi';
import { diskImage } from '@nodecore/image';
import { consoleFile, consoleSays, Machine } from '@nodecore/machine';
import { agentCommand } from '@nodecore/release';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import { assembleUki } from '@nodecore/uki';
import { systemClock } from '@nodecore/waiting';

import { nodeSecrets } from '../src/node/credentials.ts';
import { nodeImage } from '../src/node-image.ts';
import { freePort } from './agent-node.ts';
import { osctlHere } from './osctl.ts';
import { stopwatch } from './stopwatch.ts';
import { grubPrograms } from './tiny-system.ts';

/** Beside the agent, in its process: has the kernel panic that no firmware has started. */
const panics = `
import { readFileSync, writeFileSync } from 'node:fs';
if (readFileSync('/proc/cmdline', 'utf8').includes('os.boot.start=kexec')) writeFileSync('/proc/sysrq-trigger', 'c');
`;

testWith(program('qemu-system-x86_64'), program('mksquashfs'))(
  'a machine with a BIOS that reboots past it, and whose kernel panics then, comes back through its BIOS, and reboots that way from then on',
  async (t) => {
    t.timeout(700_000);
    const signal = AbortSignal.timeout(680_000);
    const directory = await temporaryDirectory(t);
    const { stub, kernel, kernelVersion, initrd, commandLine } = await nodeImage({
      'usr/lib/nodeos/panics.mjs': panics,
      'usr/lib/nodeos/agent.arguments': agentCommand('--import', '/usr/lib/nodeos/panics.mjs'),
    });
    const osrel = 'ID=nodeos\nIMAGE_ID=nodeos\nIMAGE_VERSION=1.14.0~alpha.0\n';
    const uki = await assembleUki({
      stub,
      sections: { osrel, cmdline: commandLine, uname: kernelVersion, linux: kernel, initrd },
    });
    const entry = { imageVersion: '1.14.0~alpha.0', sequence: 1, uki };
    const files = await grubFiles({ entries: [entry], readSections: readPe });
    const sizeBytes = 4 * 1024 ** 3;
    const [file, port] = [join(directory, 'node.raw'), await freePort()];
    const grub = { files, programs: await grubPrograms(directory) };
    await diskImage({ recipe: 'a node with a BIOS', sizeBytes, grub }).writeTo(file);
    await using machine = await Machine.open(
      {
        name: 'kexec',
        uuid: randomUUID(),
        firmware: 'bios',
        tpm: 'none',
        memoryMib: 1024,
        cpus: 2,
        durability: 'none',
        disks: [{ driver: 'virtio', sizeBytes, serial: 'SYSTEM', file }],
        nics: [{ backend: { kind: 'user', restricted: false, forwards: [{ host: port, guest: 50_000 }] } }],
      },
      { directory },
    );
    const secrets = await nodeSecrets('virtual-node', directory, port);
    const here = osctlHere(secrets.osconfig);
    const until = async (expected: RegExp, ...words: readonly string[]): Promise<string> => {
      for (;;) {
        const { stdout, stderr } = await here('-n', `127.0.0.1:${port}`, ...words);
        if (expected.test(stdout + stderr)) return stdout;
        signal.throwIfAborted();
        await systemClock.sleep(500); // each question costs the node a connection
      }
    };
    const reboot = (): Promise<unknown> => here('-n', `127.0.0.1:${port}`, 'reboot', '--wait=false');
    const console = (): Promise<string> => readFile(join(directory, consoleFile), 'latin1');
    const lap = stopwatch(t);
    await machine.powerOn();
    await consoleSays(directory, 'maintenance on port', signal);
    // It has no address yet.
    await until(
      /^(?![\s\S]*(?:ECONN|reach|UNAVAILABLE))/iu,
      'apply-config',
      '--insecure',
      '-f',
      secrets.controlplane,
    );
    await consoleSays(directory, 'the digest of what the firmware has started is kept', signal);
    lap('from power on, until it is up and its digest is known');
    await reboot();
    await machine.stopped();
    t.is(machine.reason, 'guest-reset');
    const [, next = ''] = (await console()).split('init: the machine begins anew, without the firmware');
    t.regex(
      next,
      /Linux version [\s\S]* os\.boot\.entry=nodeos-1\.14\.0~alpha\.0-1\.efi os\.boot\.partition=[\s\S]*sysrq: Trigger a crash/u,
    );
    t.notRegex(next, /SeaBIOS|GRUB/u);
    lap('a reboot past the firmware, until its kernel panics');
    await machine.powerOn();
    await until(/startedBy: firmware/u, 'get', 'bootedentries', '-o', 'yaml');
    await consoleSays(directory, 'its start without the firmware did not become ready', signal);
    lap('the next boot, by the firmware');
    await reboot();
    await machine.stopped();
    t.is(machine.reason, 'guest-reset');
    t.regex(await console(), /the firmware starts the machine.*did not become ready/u);
    t.notRegex(await console(), /without the firmware\s*$/mu);
  },
);
