import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';

import { consoleSays, Machine } from '@nodecore/machine';
import { agentCommand } from '@nodecore/release';
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

/** As a service of an extension: says what each process may have of root's rights, whether calls are refused to it, and goes on. */
const rights = `
import { readdirSync, readFileSync } from 'node:fs';
for (const pid of readdirSync('/proc').filter((name) => Number(name) > 0)) {
  let status = '';
  try {
    status = readFileSync('/proc/' + pid + '/status', 'utf8');
  } catch {} // it has ended
  if (!status.includes('VmRSS:')) continue; // of the kernel
  const [name, ...facts] = ['Name', 'CapBnd', 'NoNewPrivs', 'Seccomp'].map((each) => status.split(each + ':\\t')[1].split('\\n')[0]);
  console.log([pid === String(process.pid) ? 'this service' : name, ...facts].join(': '));
}
console.log('those are all');
setInterval(() => {}, 1e9);
`;
const rightsManifest = `
name: rights
container: { entrypoint: /usr/bin/node, args: [/usr/local/share/rights.mjs] }
depends: [{ network: [addresses] }]
`;

testWith(program('qemu-system-x86_64'))(
  'our own node OS boots to maintenance, answers over TLS, shows its schematic and its dashboard, loses no service with the agent, and obeys the power button',
  async (t) => {
    t.timeout(600_000);
    const directory = await temporaryDirectory(t);
    const [port, deathPort] = [await freePort(), await freePort()];
    const image = await nodeImage({
      [`usr/local/share/schematic/${schematic}`]: '',
      'system/extensions.yaml': extensions,
      'usr/lib/nodeos/onlooker.mjs': onlooker,
      'usr/local/etc/containers/rights.yaml': rightsManifest,
      'usr/local/share/rights.mjs': rights,
      'usr/lib/nodeos/agent.arguments': agentCommand('--import', '/usr/lib/nodeos/onlooker.mjs'),
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
        clock: new Date('1970-01-02T00:00:00Z'), // its battery is empty
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
    await consoleSays(directory, 'the clock was before the day of the image', AbortSignal.timeout(300_000));
    await consoleSays(directory, 'nodecore: maintenance', AbortSignal.timeout(300_000));
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
    // Nobody but PID 1 and the agent may end the machine or load code into the kernel, or get back what it was started without.
    let told = await ask('logs', 'ext-rights');
    while (!told.stdout.includes('those are all') && machine.state === 'running')
      told = await ask('logs', 'ext-rights');
    const has = (name: string, rights: string, seccomp: 0 | 2): boolean =>
      t.true(
        told.stdout.includes(`: ${name}: ${rights.padStart(16, '0')}: 1: ${seccomp}\n`),
        `${name}: ${told.stdout}`,
      );
    has('MainThread', 'c40bef77ff', 0); // the agent
    has('this service', 'c40bae77ff', 2); // without sys_boot and sys_module
    has('dhcpcd', '3400', 2); // net_bind_service, net_admin, net_raw
    t.is(told.stdout.split(': 0: 0\n').length, 2, `PID 1 alone may begin anything: ${told.stdout}`);
    t.regex((await ask('logs', 'chronyd')).stderr, /service "chronyd" not defined/u);
    // Its keyboard, as somebody has it who stands before the machine.
    await machine.press(['alt', 'f2']);
    await consoleSays(directory, '(end of the page)', AbortSignal.timeout(180_000));
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
    await consoleSays(directory, 'second terminal, after a key', AbortSignal.timeout(180_000));
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
    await consoleSays(directory, 'the agent is started again in', AbortSignal.timeout(180_000));
    let after = await pidsNow();
    while (after.length < before.length && machine.state === 'running') after = await pidsNow();
    t.deepEqual(after, before);
    const listed = await ask('service');
    t.regex(listed.stdout, / dhcpcd-\w+ +Running .* process \d+ goes on/u, listed.stderr);
    await machine.powerOff({ graceMs: 60_000 });
    t.is(machine.reason, 'guest-shutdown');
  },
);
