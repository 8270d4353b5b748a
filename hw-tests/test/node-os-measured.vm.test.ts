import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Machine } from '@nodecore/machine';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import { assembleUki, predictPcr11 } from '@nodecore/uki';

import { nodeImage } from '../src/node-image.ts';

/**
 * In place of the agent: says what was measured and what the stub has left, then has PID 1 feed the watchdog, and stands still as an
 * agent does that hangs.
 */
const probe = `
import { readdirSync, readFileSync, writeSync } from 'node:fs';
for (const register of [11, 12])
  console.log('register', register, readFileSync('/sys/class/tpm/tpm0/pcr-sha256/' + register, 'utf8').trim().toLowerCase());
console.log('left', readdirSync('/run/nodeos').sort().join());
writeSync(3, 'alive');
writeSync(3, 'watchdog /dev/watchdog0 10');
setInterval(() => {}, 60_000);
setTimeout(() => {
  console.log('stands still', process.pid);
  process.kill(process.pid, 'SIGSTOP');
}, 2000);
`;

testWith(program('qemu-system-x86_64'), program('swtpm'))(
  'on UEFI with a TPM the image and the phases of PID 1 are measured as predicted, its signature is kept, and the watchdog bites when the agent stands still',
  async (t) => {
    t.timeout(600_000);
    const directory = await temporaryDirectory(t);
    const { kernel, kernelVersion, initrd, stub, commandLine } = await nodeImage({
      'usr/lib/nodeos/agent.arguments': '/usr/bin/node\n/usr/lib/nodeos/probe.mjs\n',
      'usr/lib/nodeos/probe.mjs': probe,
    });
    const sections = {
      osrel: 'ID=nodeos\n',
      cmdline: commandLine,
      uname: kernelVersion,
      linux: kernel,
      initrd,
    };
    const pcrSigningKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const image = await assembleUki({ stub, sections, pcrSigningKey });
    const file = join(directory, 'nodeos.efi');
    await image.writeTo(file);
    await using machine = await Machine.open(
      {
        name: 'node-os-measured',
        uuid: randomUUID(),
        firmware: 'uefi',
        tpm: 'tis',
        memoryMib: 1024,
        cpus: 1,
        disks: [],
        watchdog: 'reset',
        boot: { kind: 'uki', file },
      },
      { directory },
    );
    await machine.powerOn();
    await machine.stopped();
    const console = await readFile(join(directory, 'console.log'), 'latin1');
    t.is(machine.reason, 'guest-reset', console.slice(-2000));
    t.regex(console, /stands still \d+[\s\S]*the agent is silent: \/dev\/watchdog0 is not fed/);
    t.notRegex(console, /Kernel panic|the agent is started again/, 'nobody else has ended the machine');
    const register = (number: number): string | undefined =>
      new RegExp(`register ${number} ([0-9a-f]{64})`).exec(console)?.[1];
    t.is(register(11), (await predictPcr11(image)).toString('hex'));
    t.is(register(12), '0'.repeat(64));
    t.regex(console, /left tpm2-pcr-public-key\.pem,tpm2-pcr-signature\.json/);
  },
);
