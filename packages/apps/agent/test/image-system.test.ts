import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';

import { Originals } from '@nodecore/host';
import { controllerItems } from '@nodecore/runtime';
import { Store } from '@nodecore/state';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import { pino } from 'pino';

import { ethernetInterfaces } from '../src/dhcp/dhcp.ts';
import { withoutRootLayers } from '../src/discovery/without-root.ts';
import { hostnameOf } from '../src/image/hostname.ts';
import { ignoredArguments, kernelArguments, redactedArguments } from '../src/image/kernel-arguments.ts';
import { KernelLog, kernelLine } from '../src/image/kmsg.ts';
import { imagePaths } from '../src/image/paths.ts';
import { createLog } from '../src/log.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { bootIds, extensionStatuses, kernelCommandLines, versions } from '../src/system/definitions.ts';
import { systemController } from '../src/system/feature.ts';
import { runningVersions, systemInformation } from '../src/system/machine-facts.ts';
import { runControllers, until } from './controllers.ts';
import { disk, partition } from './inventory.ts';
import { taggedImageVersion } from '../src/image/os-release.ts';
import { hostnameSpecs } from '../src/names/definitions.ts';
import { publishOwnNames } from '../src/names/feature.ts';
import { ownIdentity } from '../src/names/own-identity.ts';
import { raiseClock } from '../src/time/clock-floor.ts';
import { slowMachineOf } from '../src/image/slow-machine.ts';

test('the command line is shown without what a reader must not know', (t) => {
  const line =
    'console=ttyS0 quiet os.link=https://joe:open@fleet.example:8443/?jointoken=sesame&fleetca=sha256:0 ' +
    'os.config=https://x.example/cfg?code=sesame os.config.inline=c2VzYW1l os.token="open sesame" os.platform=metal\n';
  t.is(
    redactedArguments(line),
    'console=ttyS0 quiet os.link=https://<redacted>@fleet.example:8443/?<redacted> ' +
      'os.config=https://x.example/cfg?<redacted> os.config.inline=<redacted> os.token=<redacted> os.platform=metal',
  );
  const known = kernelArguments('a=1 os.x="b c" flag a=2\n');
  t.deepEqual(
    [...known],
    [
      ['a', '2'],
      ['os.x', 'b c'],
      ['flag', ''],
    ],
  );
});

test('words that GRUB has put quotes around as a whole are what they were, and keep their secrets', (t) => {
  const line =
    'BOOT_IMAGE=(uki_a)183+16108 quiet "os.token=open sesame" "os.environment=A=b c" "x y" os.platform=metal\n';
  const known = kernelArguments(line);
  t.is(known.get('os.environment'), 'A=b c');
  t.is(known.get('os.token'), 'open sesame');
  t.is(known.get('os.platform'), 'metal');
  t.is(
    redactedArguments(line),
    'BOOT_IMAGE=(uki_a)183+16108 quiet os.token=<redacted> os.environment="A=<redacted> "x y" os.platform=metal',
  );
});

test('lines of the log are readable in that of the kernel, one record each', async (t) => {
  const path = join(await temporaryDirectory(t), 'kmsg');
  using destination = new KernelLog(path, '/nonexistent/limit');
  const log = createLog('info', destination);
  log.info({ port: 50_000, host: '0.0.0.0' }, 'listening');
  log.warn({ reason: 'two\nlines' }, 'odd');
  log.error({ err: Object.assign(new Error('no such disk'), { code: 'ENOENT' }) }, 'failed');
  t.deepEqual((await readFile(path, 'utf8')).split('\n'), [
    '<6>nodecore: listening port=50000 host=0.0.0.0',
    String.raw`<4>nodecore: odd reason="two\nlines"`,
    '<3>nodecore: failed code=ENOENT error="no such disk"',
    '',
  ]);
  const long = kernelLine(JSON.stringify({ level: 30, msg: 'ä'.repeat(2000) }));
  t.true(Buffer.byteLength(long) <= 901);
  t.false(long.includes('\uFFFD'));
});

test('which boot it is, how the kernel was started and what the image is made of are resources', async (t) => {
  const directory = await temporaryDirectory(t);
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(directory, name), text);
    return join(directory, name);
  };
  const image = {
    ...imagePaths,
    kernelCommandLine: await file('cmdline', 'os.link=https://x/?jointoken=sesame quiet\n'),
    extensions: await file(
      'extensions.yaml',
      'layers:\n' +
        '  - image: ""\n    metadata: {name: schematic, version: 3766, extraInfo: "a: b\\n", source: "http://10.5.0.1:8081"}\n' +
        '  - {image: x.sqsh, metadata: {name: guest-agent, version: 1.0.0, odd: [1]}}\n',
    ),
  };
  const store = new Store();
  runControllers(
    t,
    store,
    systemController(image, () => 'cafe'),
  );
  await until(store, kindOf(extensionStatuses), ({ length }) => length === 2);
  const specs = (definition: typeof bootIds): unknown[] =>
    store.list(kindOf(definition)).resources.map(({ spec }) => spec);
  t.deepEqual(specs(bootIds), [{ bootId: 'cafe' }]);
  t.deepEqual(specs(kernelCommandLines), [{ cmdline: 'os.link=https://x/?<redacted> quiet' }]);
  t.deepEqual(specs(extensionStatuses), [
    {
      image: '',
      metadata: { name: 'schematic', version: '3766', extraInfo: 'a: b\n', source: 'http://10.5.0.1:8081' },
    },
    { image: 'x.sqsh', metadata: { name: 'guest-agent', version: '1.0.0' } },
  ]);
});

test('arguments for a node that this version does not act on are told, and those of the kernel are not', async (t) => {
  const line =
    'ip=10.0.0.2::10.0.0.1 os.config.oauth.client_id=x quiet os.hostnam=a os.hostname=b console=ttyS0 vlan=a:b';
  const names = ['ip', 'os.config.oauth.client_id', 'os.hostnam', 'vlan'];
  t.deepEqual(ignoredArguments(line), names);
  const file = join(await temporaryDirectory(t), 'cmdline');
  await writeFile(file, line);
  const told: string[] = [];
  const log = pino(
    { level: 'warn' },
    { write: (text) => void told.push((JSON.parse(text) as { argument: string }).argument) },
  );
  const store = new Store();
  const image = { ...imagePaths, kernelCommandLine: file, extensions: file };
  runControllers(
    t,
    store,
    systemController(image, () => 'cafe', log),
  );
  const [found] = await until(store, kindOf(kernelCommandLines), ({ length }) => length === 1);
  t.like(found?.spec, { ignored: names });
  t.deepEqual(told, names);
});

test('os.hostname of the command line names a machine before what it was started with, and below its documents', async (t) => {
  const directory = await temporaryDirectory(t);
  const kernelCommandLine = join(directory, 'cmdline');
  const published = async (line: string): Promise<unknown[]> => {
    await writeFile(kernelCommandLine, line);
    const store = new Store();
    await publishOwnNames(store, { kernelCommandLine }, new Originals(join(directory, 'originals.json')));
    return store.list(kindOf(hostnameSpecs)).resources.map(({ metadata, spec }) => [metadata.id, spec]);
  };
  const [own, ...none] = await published('quiet\n');
  t.deepEqual(none, []);
  t.deepEqual(await published('os.hostname=a os.hostname=rack-7 quiet\n'), [
    ['cmdline', { layer: 'cmdline', hostname: 'rack-7' }],
    own,
  ]);
});

test('what the firmware says of the machine and which versions run are resources; what is not said is left out', async (t) => {
  const directory = await temporaryDirectory(t);
  for (const [name, text] of [
    ['sys_vendor', 'QEMU\n'],
    ['product_name', 'Standard PC\n'],
    ['product_sku', '\n'],
    ['os-release', 'NAME="Node OS"\nIMAGE_VERSION=1.14.0~rc.1\nVERSION_ID=1.14.0~rc.1\n'],
  ] as const)
    await writeFile(join(directory, name), text);
  t.deepEqual(await systemInformation(directory), { manufacturer: 'QEMU', productName: 'Standard PC' });
  t.is(await systemInformation(join(directory, 'nothing')), undefined);
  const running = await runningVersions(join(directory, 'os-release'));
  t.deepEqual(running.get('os'), { name: 'Node OS', version: 'v1.14.0-rc.1' });
  t.is(running.get('kernel')?.['version'], release());
  const store = new Store();
  runControllers(t, store, systemController(undefined));
  await until(store, kindOf(versions), ({ length }) => length === 2);
});

test('the layers of the root are no disks; another read-only loop device is one', (t) => {
  const inventory = {
    disks: [
      disk('loop0', { readonly: true }),
      disk('loop1', { readonly: true }),
      disk('loop2'),
      disk('sda', { readonly: true }),
    ],
    volumes: [
      partition('', 0, { id: 'loop0', type: 'disk', name: 'squashfs' }),
      partition('', 0, { id: 'loop1', type: 'disk', name: 'xfs' }),
      partition('', 0, { id: 'loop2', type: 'disk', name: 'squashfs' }),
      partition('', 0, { id: 'sda', type: 'disk', name: 'squashfs' }),
    ],
  };
  const seen = withoutRootLayers(inventory);
  t.deepEqual(
    seen.disks.map(({ id }) => id),
    ['loop1', 'loop2', 'sda'],
  );
  t.is(seen.volumes.length, 4);
});

test('addresses are asked for on interfaces with hardware behind them', async (t) => {
  const directory = await temporaryDirectory(t);
  for (const [name, type, entries] of [
    ['eth1', '1', ['device']],
    ['eth0', '1', ['device']],
    ['veth0', '1', []],
    ['lo', '772', []],
    ['wg0', '65534', ['device']],
  ] as const) {
    await mkdir(join(directory, name));
    await writeFile(join(directory, name, 'type'), `${type}\n`);
    for (const entry of entries) await mkdir(join(directory, name, entry));
  }
  t.deepEqual(await ethernetInterfaces(directory), ['eth0', 'eth1']);
});

test('a machine without a name has the same one at every boot', (t) => {
  t.is(hostnameOf('a'), hostnameOf('a'));
  t.not(hostnameOf('a'), hostnameOf('b'));
  t.regex(hostnameOf('a'), /^node-[0-9a-f]{8}$/u);
  t.is(createLog('silent', { write: () => {} }).level, pino({ level: 'silent' }).level);
});

test('machines whose firmware has no UUID of their own are told apart by their network cards', async (t) => {
  const directory = await temporaryDirectory(t);
  for (const [name, kind, address] of [
    ['eth0', '1', '02:00:00:00:00:01'], // made up
    ['eth1', '0', '52:54:00:12:34:57'],
    ['eth2', '0', '52:54:00:12:34:56'],
  ] as const) {
    await mkdir(join(directory, name, 'device'), { recursive: true });
    await writeFile(join(directory, name, 'type'), '1\n');
    await writeFile(join(directory, name, 'addr_assign_type'), `${kind}\n`);
    await writeFile(join(directory, name, 'address'), `${address}\n`);
  }
  const own = '4c4c4544-0051-3610-8052-b4c04f4e3132';
  t.is(await ownIdentity(own, directory), own);
  for (const shared of [
    undefined,
    '00000000-0000-0000-0000-000000000000',
    '03000200-0400-0500-0006-000700080009',
  ])
    t.is(await ownIdentity(shared, directory), '52:54:00:12:34:56');
  t.is(
    await ownIdentity(undefined, join(directory, 'eth0')),
    '',
    'a machine without both is named all the same',
  );
});

test('a clock before the day of the image is set to it, and any other is left alone', async (t) => {
  const osRelease = join(await temporaryDirectory(t), 'os-release');
  const set: string[] = [];
  const log = pino({ level: 'silent' });
  const at = async (now: string, takes = true): Promise<void> =>
    await raiseClock({
      log,
      osRelease,
      nowMs: () => Date.parse(now),
      set: (ms) => set.push(new Date(ms).toISOString()) > 0 && takes,
    });
  await at('1970-01-01T00:00:10Z'); // there is no such file
  await writeFile(osRelease, 'ID=nodeos\nBUILD_ID=soon\n');
  await at('1970-01-01T00:00:10Z');
  await writeFile(osRelease, 'ID=nodeos\nBUILD_ID=2026-11-28T16:00:00Z\n');
  for (const now of ['2026-11-28T16:00:00Z', '2106-02-07T06:28:15Z']) await at(now);
  t.deepEqual(set, []);
  await at('1970-01-01T00:00:10Z');
  await at('2026-11-28T15:59:59Z', false);
  t.deepEqual(set, ['2026-11-28T16:00:00.000Z', '2026-11-28T16:00:00.000Z']);
});

test('the command line of a slow machine says what keyslots cost and how long proofs may take, and nothing wrong is taken', (t) => {
  t.deepEqual(slowMachineOf('quiet os.key-derivation=4,4096 os.proof-limit=60'), {
    keyDerivation: { type: 'argon2id', iterations: 4, memoryKib: 4096 },
    proofLimit: 60,
  });
  t.deepEqual(slowMachineOf('quiet os.platform=metal'), {});
  for (const word of [
    'os.key-derivation=1,4096',
    'os.key-derivation=',
    'os.proof-limit=0',
    'os.proof-limit=x',
  ])
    t.throws(() => slowMachineOf(word), undefined, word);
});

test('what can not be read waits with a reason, and what can be is published all the same', async (t) => {
  const store = new Store();
  const image = { ...imagePaths, kernelCommandLine: '/nonexistent', extensions: '/nonexistent' };
  runControllers(t, store, systemController(image));
  const [item] = await until(store, controllerItems, ({ length }) => length === 1);
  t.like(item, {
    metadata: { id: 'system:kernel-command-line' },
    spec: { phase: 'failing', code: 'ENOENT', failures: 1 },
  });
  await until(store, kindOf(bootIds), ({ length }) => length === 1);
  t.deepEqual(store.list(kindOf(kernelCommandLines)).resources, []);
});

test('the version of a node that runs our image is that of the image, as in tags', async (t) => {
  const path = join(await temporaryDirectory(t), 'os-release');
  await writeFile(path, 'ID=nodeos\nIMAGE_VERSION="1.14.1~rc.2"\n');
  t.is(await taggedImageVersion(path), 'v1.14.1-rc.2');
  await writeFile(path, 'ID=debian\n');
  t.is(await taggedImageVersion(path), undefined);
  t.is(await taggedImageVersion(`${path}-absent`), undefined);
});
