import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import type { OpenMenu } from '../src/upgrades/boot-menu.ts';
import { type CrashReport, readCrashReport } from '../src/upgrades/crash-report.ts';
import { CrashReports } from '../src/upgrades/crash-reports.ts';
import { serveInstaller } from './installer-registry.ts';
import { key, nodeWith } from './upgrading-node.ts';

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

function lines(count: number, what: string): string[] {
  return Array.from({ length: count }, (_, at) => `<4>[ 1.0] ${what} ${at}`);
}

test('of a crash with a long trace the panic and what led there are kept, and not the end of the trace', async (t) => {
  const text = [...lines(50, 'before'), panic[1], ...lines(60, 'trace')].join('\n');
  const report = await readCrashReport(
    await crashed(t, { 'dmesg-efi_pstore-1-1': `Panic#1 Part1\n${text}` }),
  );
  const kept = report?.log?.split('\n') ?? [];
  t.is(kept.length, 40);
  t.deepEqual([kept[0], kept.at(-1)], ['before 35', 'trace 23']);
  t.regex(kept[15] ?? '', /^Kernel panic - not syncing/u);
});

test('what PID 1 said when it gave a boot up is the reason, with what led there, and not what the kernel says of its end', async (t) => {
  const said = 'this boot has failed: the agent died 5 times in ten minutes, at last it ended with 1';
  const text = [
    ...lines(50, 'before'),
    `<6>[    9.1][    T9] agent: init: this boot has failed: says the agent`,
    `<6>[    9.2][    T1] init: ${said}`,
    '<5>[    9.3][   T20] sd 0:0:0:0: [sda] Synchronizing SCSI cache',
    '<0>[    9.4][   T20] reboot: Restarting system',
  ].join('\n');
  const report = await readCrashReport(
    await crashed(t, {
      'dmesg-efi_pstore-1-1': `Shutdown#1 Part1\n${text}`,
      'dmesg-efi_pstore-2-1': 'Shutdown#2 Part1\n<0>[ 1.0] reboot: Restarting system\n',
    }),
  );
  t.is(report?.reason, `its first process gave up: ${said.replace('this boot has failed: ', '')}`);
  const kept = report?.log?.split('\n') ?? [];
  t.deepEqual([kept.length, kept[0], kept.at(-1)], [40, 'before 12', `init: ${said}`]);
  t.is(report?.files.length, 2, 'all of them take room');
});

test('a kernel that keeps its log whenever it ends has not crashed', async (t) => {
  const text =
    'Shutdown#1 Part1\n<6>[ 1.0] agent: init: this boot has failed: no\n<0>[ 1.0] reboot: Power down\n';
  t.is(await readCrashReport(await crashed(t, { 'dmesg-efi_pstore-1-1': text })), undefined);
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

const oops: CrashReport = { reason: 'its kernel crashed: Oops', log: 'one\ntwo', files: [] };
const onTrial = ['nodeos-1.14.1-2+2-1.efi', 'nodeos-1.14.0-1.efi'];

test('a report that META does not take, or that the firmware keeps, keeps no release from being judged', async (t) => {
  const node = await nodeWith(t, onTrial, { crashReport: async () => oops });
  node.meta.change = () => Promise.reject(new Error('META holds what is not ours'));
  await node.upgrades.keepCrashReport();
  t.is(node.record(), null);
  const directory = await temporaryDirectory(t);
  await mkdir(join(directory, 'dmesg-efi_pstore-1'));
  const kept = { ...oops, files: [join(directory, 'dmesg-efi_pstore-1')] };
  const other = await nodeWith(t, onTrial, { crashReport: async () => kept });
  await other.upgrades.keepCrashReport();
  t.is((await other.upgrades.refresh()).state, 'trying');
  const torn = await nodeWith(t, onTrial, { crashReport: () => Promise.reject(new Error('EIO')) });
  await t.notThrowsAsync(torn.upgrades.keepCrashReport());
});

test('a report waits a minute for META, and no longer', async (t) => {
  const written: string[] = [];
  const log = pino(
    { level: 'warn' },
    { write: (line) => void written.push((JSON.parse(line) as { msg: string }).msg) },
  );
  const node = await nodeWith(t, onTrial);
  const { partition } = await node.menu.with(async (menu) => menu);
  const menu = {
    with: async <T>(work: (open: OpenMenu) => Promise<T>) => await work({ partition } as OpenMenu),
  };
  const reports = new CrashReports({ log, menu, meta: () => undefined, read: async () => oops });
  for (let look = 1; look < 12; look += 1)
    await t.throwsAsync(reports.keep(), { code: 'ERR_UPGRADE_NOT_INSTALLED' });
  t.deepEqual(written, []);
  await reports.keep();
  t.deepEqual(written, [
    'why the boot failed is in the log alone',
    'an earlier boot has failed',
    'crash: one',
    'crash: two',
  ]);
});

test('what the kernel that runs has left is no reason of a release that is started later', async (t) => {
  const directory = await crashed(t, { 'dmesg-efi_pstore-1-1': `Oops#1 Part1\n${panic.join('\n')}` });
  const node = await nodeWith(t, ['nodeos-1.14.0-1.efi'], { crashReport: () => readCrashReport(directory) });
  const { reference } = await serveInstaller(t, { key });
  await node.upgrade(reference, { dryRun: true });
  t.is((await readdir(directory)).length, 1);
  await node.upgrade(reference);
  t.deepEqual(await readdir(directory), []);
  t.is(node.published.get('1.14.1-2')?.['reason'], undefined);
});

test('what is no report of a crash is none', async (t) => {
  t.is(await readCrashReport('/nonexistent'), undefined);
  t.is(
    await readCrashReport(await crashed(t, { 'dmesg-1': 'x', 'dmesg-2': '\0'.repeat(70_000) })),
    undefined,
  );
});
