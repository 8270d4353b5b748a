import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { BootPartition, directoryFiles, type Entry, parseEntryName } from '@nodecore/boot';
import { metaTag } from '@nodecore/meta';
import { controllerItems } from '@nodecore/runtime';
import { fieldsOf, Store } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import { Latest } from '@nodecore/waiting';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { machineStatuses } from '../src/lifecycle/definitions.ts';
import { Lifecycle } from '../src/lifecycle/lifecycle.ts';
import type { MachineStatus } from '../src/lifecycle/machine-status.ts';
import { Meta } from '../src/persistence/meta.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { Assessment } from '../src/upgrades/assessment.ts';
import { findBootPartition, loaderFacts } from '../src/upgrades/boot-partition.ts';
import { BootMenu } from '../src/upgrades/boot-menu.ts';
import { type CrashReport, readCrashReport } from '../src/upgrades/crash-report.ts';
import { bootedEntries, bootEntries } from '../src/upgrades/definitions.ts';
import { UpgradeError } from '../src/upgrades/errors.ts';
import type { UpgradeOrder, UpgradeParts } from '../src/upgrades/upgrade.ts';
import type { UpgradeEvent } from '../src/upgrades/upgrade-event.ts';
import { type PublishedMenu, upgradesController } from '../src/upgrades/upgrades-controller.ts';
import { Upgrades } from '../src/upgrades/upgrades.ts';
import { runControllers, until } from './controllers.ts';
import { disk, partition } from './inventory.ts';
import { installerKey, serveInstaller } from './installer-registry.ts';

const key = installerKey();
const log = pino({ level: 'silent' });

type Published = Readonly<Record<string, unknown>>;

type Surroundings = Partial<UpgradeParts> & {
  readonly freeBytes?: number;
  readonly hasInit?: boolean;
  readonly crashReport?: () => Promise<CrashReport | undefined>;
};

/** A node with these entries on its boot partition; the first one runs. */
async function nodeWith(t: ExecutionContext, names: readonly string[], around: Surroundings = {}) {
  const directory = await temporaryDirectory(t);
  const esp = join(directory, 'esp');
  await mkdir(esp);
  for (const name of names) await writeFile(join(esp, name), `image ${name}`);
  await writeFile(join(esp, 'other.efi'), 'not ours');
  await writeFile(join(directory, 'meta'), '');
  await truncate(join(directory, 'meta'), 1 << 20);
  const meta = await Meta.open(join(directory, 'meta'));
  const { freeBytes, hasInit = true, crashReport = async () => undefined, ...rest } = around;
  const said: string[] = [];
  const lifecycle = new Lifecycle({
    clock: new FakeClock(),
    log,
    init: hasInit ? { say: (message) => said.push(message) > 0 } : undefined,
    quiesce: async () => {},
    end: (ending) => void said.push(ending),
  });
  const published = new Map<string, Published>();
  const released: Published[] = [];
  const files = directoryFiles(esp);
  const own = freeBytes === undefined ? files : { ...files, freeBytes: async () => freeBytes };
  const selected = parseEntryName(names[0] ?? '');
  const upgrades = new Upgrades({
    log,
    lifecycle,
    meta: () => meta,
    crashReport,
    tellRelease: (spec) => released.push(spec as Published),
    menu: new BootMenu({
      device: async () => '',
      loader: async () => ({ selected, partitionUuid: undefined }),
      imageVersion: async () => selected?.imageVersion ?? '',
      target: '/nonexistent',
      open: (booted) => new BootPartition(own, booted),
    }),
    surroundings: async () => ({
      imageVersion: selected?.imageVersion ?? '',
      architecture: 'amd64',
      keys: [key.pem],
      secureBoot: false,
      proveByFirmware: async () => {},
      directory: join(directory, 'pulled'),
      ...rest,
    }),
    publish: (entries) => {
      published.clear();
      for (const [id, spec] of entries) published.set(id, spec as Published);
    },
  });
  const events: UpgradeEvent[] = [];
  const upgrade = (image: string, order: Partial<UpgradeOrder> = {}): Promise<void> =>
    upgrades.upgrade({ image, expectedDigest: '', dryRun: false, force: false, ...order }, (event) =>
      events.push(event),
    );
  const entries = async (): Promise<string[]> =>
    (await readdir(esp)).filter((file) => file !== 'other.efi').toSorted();
  const record = () => JSON.parse(Buffer.from(meta.get(metaTag.bootRecord) ?? 'null').toString()) as unknown;
  return {
    released,
    directory,
    esp,
    upgrades,
    upgrade,
    events,
    entries,
    record,
    published,
    said,
    meta,
    lifecycle,
  };
}

test('a release is written beside the one that runs, with three starts, and the record says what it is', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.0-1.efi']);
  const { reference, digest, uki } = await serveInstaller(t, { key });
  await node.upgrade(reference, { expectedDigest: digest });
  t.deepEqual(await node.entries(), ['nodeos-1.14.0-1.efi', 'nodeos-1.14.1-2+3.efi']);
  t.deepEqual(await readFile(join(node.esp, 'nodeos-1.14.1-2+3.efi')), uki);
  t.is(await readFile(join(node.esp, 'nodeos-1.14.0-1.efi'), 'utf8'), 'image nodeos-1.14.0-1.efi');
  t.like(node.record(), {
    sequence: 2,
    entries: [{ imageVersion: '1.14.1', sequence: 2, sizeBytes: uki.length }],
  });
  t.deepEqual(
    [...new Set(node.events.map(({ phase }) => phase))],
    ['pull', 'verify', 'write', 'prove', 'switch'],
  );
  t.like(node.published.get('1.14.1-2'), {
    state: 'staged',
    triesLeft: 3,
    booted: false,
    version: 'v1.14.1',
  });
  t.like(node.published.get('1.14.0-1'), { state: 'good', booted: true });
  t.deepEqual(await readdir(node.directory), ['esp', 'meta'], 'nothing that was pulled stays');
  t.is(node.lifecycle.sequence, undefined);
  await node.upgrade(reference);
  t.true((await node.entries()).includes('nodeos-1.14.1-3+3.efi'), 'the same version again is another entry');
});

const foreign = installerKey();
type Refusal = readonly [
  title: string,
  code: string,
  installer: Parameters<typeof serveInstaller>[1],
  around?: Surroundings,
  order?: Partial<UpgradeOrder>,
];
const refusals: readonly Refusal[] = [
  ['nobody has signed', 'ERR_UPGRADE_SIGNATURE', {}],
  ['somebody else has signed', 'ERR_UPGRADE_SIGNATURE', { key: foreign }],
  [
    'somebody else has signed, with force',
    'ERR_UPGRADE_SIGNATURE',
    {},
    { secureBoot: true },
    { force: true },
  ],
  [
    'is not what its manifest names',
    'ERR_UPGRADE_IMAGE',
    { key, change: (files) => files.set('install/nodeos.uki.efi', Buffer.from('another boot imagf')) },
  ],
  [
    'is longer than its manifest says',
    'ERR_UPGRADE_IMAGE',
    { key, change: (files) => files.set('install/nodeos.uki.efi', Buffer.alloc(4096)) },
  ],
  [
    'is cut off',
    'ERR_UPGRADE_IMAGE',
    { key, change: (files) => files.set('install/nodeos.uki.efi', Buffer.from('another boot')) },
  ],
  [
    'has a manifest that was changed behind its signature',
    'ERR_UPGRADE_SIGNATURE',
    {
      key,
      change: (files) =>
        files.set('install/manifest.json', Buffer.from(`${files.get('install/manifest.json')!.toString()} `)),
    },
  ],
  [
    'has no boot image',
    'ERR_UPGRADE_IMAGE',
    { key, change: (files) => files.delete('install/nodeos.uki.efi') },
  ],
  ['is for another architecture', 'ERR_UPGRADE_VERSION', { key, manifest: { arch: 'arm64' } }],
  ['can not be reached from here', 'ERR_UPGRADE_VERSION', { key, manifest: { minimumVersion: 'v1.14.1' } }],
  ['is lower than the one that runs', 'ERR_BOOT_DOWNGRADE', { key, version: 'v1.13.9' }, {}, { force: true }],
  ['is a pre-release of the one that runs', 'ERR_BOOT_DOWNGRADE', { key, version: 'v1.14.0-rc.1' }],
  ['has no room', 'ERR_BOOT_SPACE', { key }, { freeBytes: 3 }],
  [
    'would not be started by the firmware',
    'ERR_EFI_SIGNATURE',
    { key },
    {
      secureBoot: true,
      proveByFirmware: () =>
        Promise.reject(Object.assign(new Error('no certificate of db'), { code: 'ERR_EFI_SIGNATURE' })),
    },
  ],
  [
    'is another one than was expected',
    'ERR_UPGRADE_IMAGE',
    { key },
    {},
    { expectedDigest: `sha256:${'0'.repeat(64)}` },
  ],
];

for (const [title, code, installer, around, order] of refusals)
  test(`an installer image that ${title} changes nothing`, async (t) => {
    const node = await nodeWith(t, ['nodeos-1.14.0-1.efi'], around);
    const { reference } = await serveInstaller(t, installer);
    const error = await t.throwsAsync(node.upgrade(reference, order));
    t.is(codeOf(error), code, error?.message);
    t.deepEqual(await node.entries(), ['nodeos-1.14.0-1.efi']);
    t.is(node.record(), null);
    t.deepEqual(await readdir(node.directory), ['esp', 'meta']);
    t.is(node.lifecycle.sequence, undefined, 'another one may begin');
  });

test('without Secure Boot somebody may insist on an unsigned image', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.0-1.efi']);
  const { reference } = await serveInstaller(t, {});
  await node.upgrade(reference, { force: true });
  t.deepEqual(await node.entries(), ['nodeos-1.14.0-1.efi', 'nodeos-1.14.1-2+3.efi']);
});

test('a dry run proves everything and writes nothing', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.0-4.efi', 'nodeos-1.13.0-3.efi'], { freeBytes: 3 });
  const { reference } = await serveInstaller(t, { key });
  await node.upgrade(reference, { dryRun: true });
  t.is(node.events.at(-1)?.message, 'would write v1.14.1 as installation 5');
  t.deepEqual(await node.entries(), ['nodeos-1.13.0-3.efi', 'nodeos-1.14.0-4.efi']);
});

test('a dry run of what the boot menu would not start is refused as well', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.2-4.efi']);
  const { reference } = await serveInstaller(t, { key });
  await t.throwsAsync(node.upgrade(reference, { dryRun: true }), { message: /nodeos-1\.14\.2-4\.efi/u });
});

test('a host, and a second upgrade at a time, are refused before anything is pulled', async (t) => {
  const node = await nodeWith(t, ['other.efi']);
  const { reference } = await serveInstaller(t, { key });
  const host = await t.throwsAsync(node.upgrade(reference));
  t.is(host?.message, 'no entry of the boot menu runs: machine is not installed');
  await t.throwsAsync(node.upgrade(''), { message: /image of the installer is empty/u });
  t.deepEqual(node.events, []);
});

test('a rollback takes the starts from what runs, and reboots into the other good release', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.1-2.efi', 'nodeos-1.14.0-1.efi', 'nodeos-1.14.2-3+0-3.efi']);
  t.like(await node.upgrades.rollback(), { version: 'v1.14.0', entry: 'nodeos-1.14.0-1.efi' });
  t.deepEqual(await node.entries(), [
    'nodeos-1.14.0-1.efi',
    'nodeos-1.14.1-2+0.efi',
    'nodeos-1.14.2-3+0-3.efi',
  ]);
  t.is(node.lifecycle.sequence, 'reboot');
  await node.upgrades.refresh();
  t.like(node.published.get('1.14.1-2'), { triesLeft: 0, reason: 'rolled back to v1.14.0' });
});

test('with force a release that did not come up gets its starts anew, and what runs is still there behind it', async (t) => {
  const files = ['nodeos-1.14.1-2.efi', 'nodeos-1.14.0-1+0-3.efi'];
  const node = await nodeWith(t, files);
  t.like(await node.upgrades.rollback({ force: true }), {
    version: 'v1.14.0',
    entry: 'nodeos-1.14.0-1+3.efi',
  });
  t.deepEqual(await node.entries(), ['nodeos-1.14.0-1+3.efi', 'nodeos-1.14.1-2+0.efi']);
  const higher = await nodeWith(t, ['nodeos-1.14.0-1.efi', 'nodeos-1.14.1-2+0-3.efi']);
  t.like(await higher.upgrades.rollback({ force: true }), { version: 'v1.14.1' });
  t.deepEqual(await higher.entries(), ['nodeos-1.14.0-1.efi', 'nodeos-1.14.1-2+3.efi'], 'what runs is good');
});

const panic = [
  '<6>[    1.200000] nodecore: started',
  '<0>[    2.345678][    T1] Kernel panic - not syncing: Attempted to kill init! \u001b[2J exitcode=0x00000b00',
  '<4>[    2.400000] CPU: 0 PID: 1',
];

async function crashed(t: ExecutionContext, files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await temporaryDirectory(t);
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return directory;
}

test('the crash of a kernel that did not come up is kept as the reason of its entry, with its last lines', async (t) => {
  const directory = await crashed(t, {
    'dmesg-efi_pstore-17-2': `Panic#2 Part2\n${panic[0]}\n`,
    'dmesg-efi_pstore-17-1': `Panic#2 Part1\n${panic.slice(1).join('\n')}\n`,
    'dmesg-efi_pstore-16-1': 'Panic#1 Part1\n<0>[ 1.0] Kernel panic - not syncing: an earlier one\n',
    'console-ramoops-0': 'not ours',
  });
  const node = await nodeWith(
    t,
    ['nodeos-1.14.0-1.efi', 'nodeos-1.14.1-2+0-3.efi', 'nodeos-1.14.2-3+3.efi'],
    { crashReport: () => readCrashReport(directory) },
  );
  await node.upgrades.keepCrashReport();
  await node.upgrades.refresh();
  const reason =
    'its kernel crashed: Kernel panic - not syncing: Attempted to kill init! ?[2J exitcode=0x00000b00';
  t.like(node.published.get('1.14.1-2'), {
    state: 'bad',
    reason,
    log: `nodecore: started\n${reason.replace('its kernel crashed: ', '')}\nCPU: 0 PID: 1`,
  });
  t.is(node.published.get('1.14.2-3')?.['reason'], undefined);
  t.deepEqual(await readdir(directory), ['console-ramoops-0'], 'the firmware has its room back');
  await node.upgrades.keepCrashReport();
});

test('nobody is blamed for a crash that may be of several entries, or of the one that runs and is good', async (t) => {
  for (const names of [
    ['nodeos-1.14.0-1.efi'],
    ['nodeos-1.14.0-1.efi', 'nodeos-1.14.1-2+0-3.efi', 'nodeos-1.14.2-3+2-1.efi'],
  ]) {
    const directory = await crashed(t, { 'dmesg-efi_pstore-1-1': `Oops#1 Part1\n${panic.join('\n')}` });
    const node = await nodeWith(t, names, { crashReport: () => readCrashReport(directory) });
    await node.upgrades.keepCrashReport();
    t.is(node.record(), null);
    t.deepEqual(await readdir(directory), []);
  }
});

test('what is no report of a crash is none', async (t) => {
  t.is(await readCrashReport('/nonexistent'), undefined);
  t.is(
    await readCrashReport(await crashed(t, { 'dmesg-1': 'x', 'dmesg-2': '\0'.repeat(70_000) })),
    undefined,
  );
});

test('the menu says to which entry it goes back, and of one that never said anything how often it was started', async (t) => {
  const node = await nodeWith(t, [
    'nodeos-1.14.1-4.efi',
    'nodeos-1.14.0-3.efi',
    'nodeos-1.13.0-1.efi',
    'nodeos-1.14.2-5+0-3.efi',
  ]);
  await node.upgrades.refresh();
  const states = [...node.published].map(([id, { state }]) => [id, state]);
  t.deepEqual(states, [
    ['1.14.1-4', 'good'],
    ['1.14.0-3', 'fallback'],
    ['1.13.0-1', 'good'],
    ['1.14.2-5', 'bad'],
  ]);
  t.regex(
    String(node.published.get('1.14.2-5')?.['reason']),
    /^it was started 3 times, .*the agent never answered$/u,
  );
});

test('an upgrade that is written twice before the next boot leaves the only good entry', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.0-1.efi']);
  const [first, second] = [
    await serveInstaller(t, { key }),
    await serveInstaller(t, { key, version: 'v1.14.2' }),
  ];
  await node.upgrade(first.reference);
  await node.upgrade(second.reference);
  t.deepEqual(await node.entries(), ['nodeos-1.14.0-1.efi', 'nodeos-1.14.2-3+3.efi']);
});

test('nothing that is bad is rolled back to, and without PID 1 nothing changes', async (t) => {
  const alone = await nodeWith(t, ['nodeos-1.14.0-1.efi']);
  await t.throwsAsync(alone.upgrades.rollback(), { message: 'previous UKI not found' });
  const bad = await nodeWith(t, ['nodeos-1.14.0-1.efi', 'nodeos-1.14.1-2+0-3.efi']);
  await t.throwsAsync(bad.upgrades.rollback(), {
    message: /nodeos-1\.14\.1-2\+0-3\.efi is the only other entry, and it is bad/u,
  });
  const files = ['nodeos-1.14.1-2.efi', 'nodeos-1.14.0-1.efi'];
  const stuck = await nodeWith(t, files, { hasInit: false });
  await t.throwsAsync(stuck.upgrades.rollback(), { message: /init program/u });
  t.deepEqual(await stuck.entries(), files.toSorted());
});

test('a release that has proven itself keeps its place without a counter; one that has not says why to the next', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.1-2+2-1.efi', 'nodeos-1.14.0-1.efi']);
  await node.upgrades.giveUp('not ready within 15 minutes (running): volumes: EPHEMERAL is failed');
  t.is(node.lifecycle.sequence, 'reboot');
  await node.upgrades.refresh();
  t.like(node.published.get('1.14.1-2'), { state: 'trying', triesLeft: 2 });
  t.regex(String(node.published.get('1.14.1-2')?.['reason']), /EPHEMERAL is failed/u);
  await node.upgrades.bless();
  t.deepEqual(await node.entries(), ['nodeos-1.14.0-1.efi', 'nodeos-1.14.1-2.efi']);
  t.like(node.published.get('1.14.1-2'), { state: 'good' });
  t.is(node.published.get('1.14.1-2')?.['reason'], undefined);
  await node.upgrades.bless();
  t.deepEqual(await node.entries(), ['nodeos-1.14.0-1.efi', 'nodeos-1.14.1-2.efi']);
});

test('how far an upgrade is, and what became of it, is a resource', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.0-1.efi']);
  const { reference } = await serveInstaller(t, { key });
  await node.upgrade(reference);
  const states = node.released.map(({ state, phase }) => `${String(state)} ${String(phase)}`);
  t.deepEqual(
    [...new Set(states)],
    ['running pull', 'running verify', 'running write', 'running prove', 'running switch', 'done switch'],
  );
  t.like(node.released.at(-1), { version: 'v1.14.1', entry: 'nodeos-1.14.1-2+3.efi' });
  await t.throwsAsync(node.upgrade(reference, { expectedDigest: `sha256:${'0'.repeat(64)}` }));
  t.like(node.released.at(-1), { state: 'failed', phase: 'pull' });
  t.regex(String(node.released.at(-1)?.['message']), /\(ERR_[A-Z_]+\)$/u);
  await t.throwsAsync(node.upgrade(''));
  t.is(node.released.at(-1)?.['phase'], 'pull', 'what is refused before it began is no last one');
});

test('a boot record that can not be read is none, and keeps nobody from an upgrade', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.0-7.efi']);
  await node.meta.set(metaTag.bootRecord, Buffer.from('{"installs'));
  const { reference } = await serveInstaller(t, { key });
  await node.upgrade(reference);
  t.deepEqual(await node.entries(), ['nodeos-1.14.0-7.efi', 'nodeos-1.14.1-8+3.efi']);
});

const good: MachineStatus = { stage: 'running', status: { ready: true, unmetConditions: [] } };
const lacking: MachineStatus = {
  stage: 'running',
  status: { ready: false, unmetConditions: [{ name: 'network', reason: 'no interface has an address' }] },
};

/** Lets a machine be as the test says, second after second. @returns what became of its release, and when. */
async function assessed(
  at: (second: number) => readonly [MachineStatus, boolean],
  { begun = 0 }: { readonly begun?: number } = {},
) {
  const clock = new FakeClock(begun * 1000);
  const second = (): number => clock.now() / 1000;
  const outcome: string[] = [];
  const end = (what: string) => async (): Promise<void> => void outcome.push(`${what} ${second()}`);
  const assessment = new Assessment({
    log,
    uptimeMs: () => clock.now(),
    answers: async () => at(second())[1],
    bless: end('blessed'),
    giveUp: (reason) => end(`gave up: ${reason};`)(),
  });
  for (;;) {
    const verdict = await assessment.look(at(second())[0]);
    if (typeof verdict !== 'number') break;
    clock.advance(verdict);
  }
  return outcome;
}

test('a release is good when it was ready for a minute without a break, also while it waits for a configuration', async (t) => {
  t.deepEqual(await assessed((second) => [second < 100 ? lacking : good, true]), ['blessed 160']);
  t.deepEqual(await assessed((second) => [second === 50 ? lacking : good, true]), ['blessed 115']);
  const maintenance: MachineStatus = { ...good, stage: 'maintenance' };
  t.deepEqual(await assessed(() => [maintenance, true]), ['blessed 60']);
});

test('a release that is not ready within a quarter of an hour is given up, with the reason', async (t) => {
  const lacks = 'gave up: not ready within 15 minutes (running): network: no interface has an address; 900';
  t.deepEqual(await assessed(() => [lacking, true]), [lacks]);
  t.deepEqual(await assessed(() => [good, false]), [
    'gave up: not ready within 15 minutes (running): the API does not answer; 905',
  ]);
  t.deepEqual(await assessed((second) => [second < 890 ? lacking : good, true]), ['blessed 950']);
});

const gaveUp = (second: number): string[] => [
  `gave up: not ready within 15 minutes (running): network: no interface has an address; ${second}`,
];

test('an agent that begins anew has what is left of the quarter of an hour, and two minutes at least', async (t) => {
  t.deepEqual(await assessed(() => [lacking, true], { begun: 600 }), gaveUp(900));
  t.deepEqual(await assessed(() => [lacking, true], { begun: 890 }), gaveUp(1010));
  // Of a machine that has worked for days, and whose release could not be marked so.
  const begun = 3 * 86_400;
  t.deepEqual(await assessed((second) => [second < begun + 90 ? lacking : good, true], { begun }), [
    `blessed ${begun + 150}`,
  ]);
});

const efi = (id: string) =>
  partition(id, 1, { partitionLabel: 'EFI', name: 'vfat', partitionUuid: `AAAA-${id}` });

test('the boot partition is the one of the system disk that the firmware was started from', async (t) => {
  const meta = partition('vda', 2, { partitionLabel: 'META' });
  const inventory = { disks: [disk('vda'), disk('vdb')], volumes: [efi('vda'), meta, efi('vdb')] };
  t.is(findBootPartition(inventory, { partitionUuid: 'aaaa-vda' }), '/dev/vda1');
  t.is(findBootPartition(inventory, { partitionUuid: undefined }), '/dev/vda1');
  t.throws(() => findBootPartition(inventory, { partitionUuid: 'aaaa-vdb' }), {
    message: /aaaa-vdb.*aaaa-vda/u,
  });
  t.throws(() => findBootPartition({ ...inventory, volumes: [efi('vda')] }, { partitionUuid: undefined }), {
    message: 'machine is not installed',
  });
  const root = await temporaryDirectory(t);
  const variable = (name: string, text: string): Promise<void> =>
    writeFile(
      join(root, `${name}-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f`),
      Buffer.concat([Buffer.from([6, 0, 0, 0]), Buffer.from(`${text}\0`, 'utf16le')]),
    );
  t.deepEqual(await loaderFacts(root), { selected: undefined, partitionUuid: undefined });
  await variable('LoaderEntrySelected', 'nodeos-1.14.1-2+2-1.efi');
  await variable('LoaderDevicePartUUID', 'AAAA-VDA');
  t.like(await loaderFacts(root), {
    selected: { imageVersion: '1.14.1', sequence: 2 },
    partitionUuid: 'aaaa-vda',
  });
});

test('the release that runs is found when its disk is here, assessed on trial, and the menu published', async (t) => {
  const store = new Store();
  const menu = new Latest<PublishedMenu>();
  const [uptime, deeds] = [new FakeClock(0), [] as string[]];
  const here: Entry[] = [];
  const { clock } = runControllers(
    t,
    store,
    upgradesController({
      log,
      menu,
      find: async () => {
        const [booted] = here;
        if (booted === undefined) throw new UpgradeError('ERR_UPGRADE_NOT_INSTALLED', 'no disk yet');
        return booted;
      },
      assess: () =>
        new Assessment({
          log,
          uptimeMs: () => uptime.now(),
          answers: async () => true,
          bless: async () => void deeds.push(`blessed ${uptime.now() / 1000}`),
          giveUp: async () => void deeds.push('gave up'),
        }),
      good: () => void deeds.push('good'),
    }),
  );
  await until(store, controllerItems, ([one]) => fieldsOf(one?.spec ?? null)['reason'] === 'no disk yet');
  const booted = { name: 'nodeos-1.14.1-2+2-1.efi', state: 'trying' } as Entry;
  here.push(booted);
  store.create({ ...kindOf(machineStatuses), id: 'machine' }, good);
  menu.set({ entries: new Map([['1.14.1-2', { state: 'trying' }]]), booted: { entry: booted.name } });
  await until(store, kindOf(bootedEntries), (all) => all.length === 1);
  t.deepEqual(
    store.list(kindOf(bootEntries)).resources.map(({ metadata, spec }) => [metadata.id, spec]),
    [['1.14.1-2', { state: 'trying' }]],
  );
  while (deeds.length === 0) {
    while (clock.sleepers === 0) await new Promise(setImmediate);
    uptime.advance(5000);
    clock.advance(5000);
    await new Promise(setImmediate);
  }
  await until(store, controllerItems, (items) => items.length === 0);
  t.deepEqual(deeds, ['blessed 65', 'good']);
});

test('PID 1 is not told that a release is good that was given up: a crash before the reboot counts', async (t) => {
  const store = new Store();
  const uptime = new FakeClock(15 * 60_000);
  const deeds: string[] = [];
  const { clock } = runControllers(
    t,
    store,
    upgradesController({
      log,
      menu: new Latest<PublishedMenu>(),
      find: async () => ({ name: 'nodeos-1.14.1-2+2-1.efi', state: 'trying' }) as Entry,
      assess: () =>
        new Assessment({
          log,
          uptimeMs: () => uptime.now(),
          answers: async () => true,
          bless: async () => void deeds.push('blessed'),
          giveUp: async () => void deeds.push(`gave up ${uptime.now() / 1000}`),
        }),
      good: () => void deeds.push('good'),
    }),
  );
  while (deeds.length === 0) {
    while (clock.sleepers === 0) await new Promise(setImmediate);
    uptime.advance(5000);
    clock.advance(5000);
    await new Promise(setImmediate);
  }
  await until(store, controllerItems, (items) => items.length === 0);
  t.deepEqual(deeds, ['gave up 1020']);
});
