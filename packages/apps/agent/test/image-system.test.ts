import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { controllerItems } from '@nodecore/runtime';
import { Store } from '@nodecore/state';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import { pino } from 'pino';

import { ethernetInterfaces } from '../src/dhcp/dhcp.ts';
import { withoutRootLayers } from '../src/discovery/without-root.ts';
import { hostnameOf } from '../src/image/hostname.ts';
import { kernelArguments, redactedArguments } from '../src/image/kernel-arguments.ts';
import { KernelLog, kernelLine } from '../src/image/kmsg.ts';
import { imagePaths } from '../src/image/paths.ts';
import { createLog } from '../src/log.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { bootIds, extensionStatuses, kernelCommandLines } from '../src/system/definitions.ts';
import { systemController } from '../src/system/feature.ts';
import { runControllers, until } from './controllers.ts';
import { disk, partition } from './inventory.ts';
import { taggedImageVersion } from '../src/image/os-release.ts';
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
