import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
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

/** Beside the agent, in its process: says what the second terminal shows, once it has an address on it, and kills it for who connects. */
const onlooker = `
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
createServer(() => process.kill(process.pid, 'SIGKILL')).listen(50001, '0.0.0.0');
let isSaid = false;
const timer = setInterval(() => {
  if (!existsSync('/dev/vcs2')) return; // until something is shown on it
  const text = readFileSync('/dev/vcs2', 'latin1').replaceAll(/\\s+/g, ' ');
  if (!isSaid && /Stage maintenance, ready/.test(text) && text.includes('10.0.2.15')) { // that of IPv6 comes by itself, and before
    isSaid = true;
    console.log('second terminal: ' + text.slice(0, 1800) + ' (end of the page)');
  }
  if (!/.F2 monitor/.test(text) || !/COMMAND.*usr.bin.node/.test(text)) return;
  clearInterval(timer);
  console.log('second terminal, after a key');
}, 1000);
`;

testWith(program('qemu-system-x86_64'))(
  'our own node OS boots to maintenance, answers over TLS, shows its schematic and its dashboard, loses no service with the agent, and obeys the power button',
  async (t) => {
    t.timeout(230_000);
    const directory = await temporaryDirectory(t);
    const [port, deathPort] = [await freePort(), await freePort()];
    const image = await nodeImage({
      [`usr/local/share/schematic/${schematic}`]: '',
      'system/extensions.yaml': extensions,
      'usr/lib/nodeos/onlooker.mjs': onlooker,
      'usr/lib/nodeos/agent.arguments':
        '/usr/bin/node\n--import\n/usr/lib/nodeos/onlooker.mjs\n/usr/lib/nodeos/agent.mjs\n--image\n',
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
        nics: [
          {
            backend: {
              kind: 'user',
              forwards: [
                { host: port, guest: 50_000 },
                { host: deathPort, guest: 50_001 },
              ],
            },
          },
        ],
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
    // Its keyboard, as somebody has it who stands before the machine.
    await machine.press(['alt', 'f2']);
    await consoleSays(directory, '(end of the page)', AbortSignal.timeout(60_000));
    const said = await readFile(join(directory, 'console.log'), 'latin1');
    const [, page = ''] = /second terminal: (.*)/.exec(said) ?? [];
    const [, fingerprint = 'none'] = /fingerprint="?([^\s"]+)/.exec(said) ?? [];
    t.regex(
      page,
      /Stage maintenance, ready .*Address .*10\.0\.2\.15.* API port 50000; Alt\+F1 .*Waits /,
      said.slice(-2000),
    );
    t.true(page.includes(`Key fingerprint ${fingerprint} `), page);
    t.regex(page, /^\s*\[this node\]/, 'the kernel logs on the first terminal alone');
    await machine.press(['f2']);
    await consoleSays(directory, 'second terminal, after a key', AbortSignal.timeout(60_000));
    const records = await ask('dmesg', '--level', 'info');
    t.regex(records.stdout, /: +info: \[[^\]]+Z\]: init: the root is laid/, records.stderr);
    const events = await ask('events', '--tail', '-1', '--follow=false');
    t.regex(
      events.stdout,
      /sequence +initialize +start[\s\S]*machineStatus +maintenance +ready/,
      events.stderr,
    );
    t.regex(events.stdout, /address .*10\.0\.2\.15/);
    // An agent that is killed begins anew, and takes no service along.
    const pidsNow = async (): Promise<readonly string[]> =>
      (await ask('get', 'servicepids', '-o', 'json')).stdout.match(/"pid": ?\d+/gu) ?? [];
    const before = await pidsNow();
    t.true(before.length > 0);
    createConnection(deathPort, '127.0.0.1').on('error', () => {});
    await consoleSays(directory, 'the agent is started again in', AbortSignal.timeout(60_000));
    let after = await pidsNow();
    while (after.length < before.length && machine.state === 'running') after = await pidsNow();
    t.deepEqual(after, before);
    const listed = await ask('service');
    t.regex(listed.stdout, / dhcpcd-\w+ +Running .* process \d+ goes on/u, listed.stderr);
    await machine.powerOff({ graceMs: 60_000 });
    t.is(machine.reason, 'guest-shutdown');
  },
);
