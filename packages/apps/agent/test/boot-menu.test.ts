import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { BegunRollback } from '../src/upgrades/begun-rollback.ts';
import { findBootPartition, loaderFacts } from '../src/upgrades/boot-partition.ts';
import { disk, partition } from './inventory.ts';
import { nodeWith } from './upgrading-node.ts';

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

test('a rollback whose reason META does not take reboots all the same, and is not undone by a blessing behind it', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.1-2+2-1.efi', 'nodeos-1.14.0-1.efi']);
  node.meta.change = () => Promise.reject(Object.assign(new Error('full'), { code: 'ERR_META_TOO_LARGE' }));
  t.like(await node.upgrades.rollback(), { version: 'v1.14.0' });
  t.is(node.lifecycle.sequence, 'reboot');
  t.false(await node.upgrades.bless());
  await node.upgrades.giveUp('not ready');
  t.deepEqual(await node.entries(), ['nodeos-1.14.0-1.efi', 'nodeos-1.14.1-2+0-1.efi']);
});

test('a shutdown that takes over from a rollback ends the machine in its own way, with the menu switched', async (t) => {
  const begun = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const takeBack = async (): Promise<void> => {
    begun.resolve();
    await taken.promise;
  };
  const node = await nodeWith(t, ['nodeos-1.14.1-2.efi', 'nodeos-1.14.0-1.efi'], { takeBack });
  const rollback = node.upgrades.rollback();
  await begun.promise;
  node.lifecycle.begin('shutdown', { takesOver: false });
  taken.resolve();
  await rollback;
  t.is(node.lifecycle.sequence, 'shutdown');
  t.deepEqual(await node.entries(), ['nodeos-1.14.0-1.efi', 'nodeos-1.14.1-2+0.efi']);
});

test('what an agent has begun to roll back and not rebooted for, the next one does', async (t) => {
  const files = ['nodeos-1.14.1-2+2-1.efi', 'nodeos-1.14.0-1.efi'];
  const left = ['nodeos-1.14.0-1.efi', 'nodeos-1.14.1-2+0-1.efi'];
  const switched = await nodeWith(t, files);
  await switched.upgrades.rollback();
  const next = await nodeWith(t, files, { directory: switched.directory });
  await next.upgrades.resumeRollback();
  t.is(next.lifecycle.sequence, 'reboot');
  t.false(await next.upgrades.bless());
  t.deepEqual(await next.entries(), left);

  const begun = await nodeWith(t, files);
  await new BegunRollback(join(begun.directory, 'rollback')).keep({ force: false, isSwitched: false });
  await begun.upgrades.resumeRollback();
  t.is(begun.lifecycle.sequence, 'reboot');
  t.deepEqual(await begun.entries(), left);
});

test('a rollback goes on once, takes over no shutdown, and nothing while the disks are not there', async (t) => {
  const files = ['nodeos-1.14.1-2+2-1.efi', 'nodeos-1.14.0-1.efi'];
  const order = { force: false, isSwitched: true };
  const ending = await nodeWith(t, files);
  const kept = new BegunRollback(join(ending.directory, 'rollback'));
  await kept.keep(order);
  ending.lifecycle.begin('shutdown', { takesOver: false });
  for (let look = 0; look < 2; look += 1) await ending.upgrades.resumeRollback();
  t.is(ending.lifecycle.sequence, 'shutdown');

  const early = await nodeWith(t, files);
  early.menu.with = () => Promise.reject(new Error('no disk is there yet'));
  await new BegunRollback(join(early.directory, 'rollback')).keep({ ...order, isSwitched: false });
  await early.upgrades.resumeRollback();
  t.is(early.lifecycle.sequence, undefined);
  t.deepEqual(await early.entries(), files.toSorted());
});

test('a rollback that is refused, and none, leave nothing to go on with', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.1-2+2-1.efi']);
  await t.throwsAsync(node.upgrades.rollback(), { code: 'ERR_UPGRADE_NO_OTHER' });
  const next = await nodeWith(t, ['nodeos-1.14.1-2+2-1.efi'], { directory: node.directory });
  await next.upgrades.resumeRollback();
  t.not(next.lifecycle.sequence, 'reboot');
  t.true(await next.upgrades.bless());
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

test('a META that is not there keeps nobody from a rollback, nor from what is said of a bad entry', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.1-2.efi', 'nodeos-1.14.0-1.efi'], { hasMeta: false });
  t.like(await node.upgrades.rollback(), { version: 'v1.14.0' });
  t.deepEqual(await node.entries(), ['nodeos-1.14.0-1.efi', 'nodeos-1.14.1-2+0.efi']);
  t.is(node.lifecycle.sequence, 'reboot');
  const bad = await nodeWith(t, ['nodeos-1.14.0-1.efi', 'nodeos-1.14.1-2+0-3.efi'], { hasMeta: false });
  await t.throwsAsync(bad.upgrades.rollback(), {
    code: 'ERR_UPGRADE_NO_OTHER',
    message: 'nodeos-1.14.1-2+0-3.efi is the only other entry, and it is bad',
  });
});

test('a blessing that waits behind a rollback does not undo it, and one behind a rollback that fails is made', async (t) => {
  const trying = 'nodeos-1.14.1-2+2-1.efi';
  for (const fails of [false, true]) {
    const begun = Promise.withResolvers<void>();
    const taken = Promise.withResolvers<void>();
    const takeBack = async (): Promise<void> => {
      begun.resolve();
      await taken.promise;
    };
    const node = await nodeWith(t, fails ? [trying] : [trying, 'nodeos-1.14.0-1.efi'], { takeBack });
    const rollback = node.upgrades.rollback();
    await begun.promise;
    const blessing = node.upgrades.bless();
    taken.resolve();
    if (fails) await t.throwsAsync(rollback, { code: 'ERR_UPGRADE_NO_OTHER' });
    else await rollback;
    t.is(await blessing, fails);
    t.deepEqual(
      await node.entries(),
      fails ? ['nodeos-1.14.1-2.efi'] : ['nodeos-1.14.0-1.efi', 'nodeos-1.14.1-2+0-1.efi'],
    );
    if (fails) continue;
    await node.upgrades.giveUp('not ready within 15 minutes (rebooting)');
    await node.upgrades.refresh();
    t.is(node.published.get('1.14.1-2')?.['reason'], 'rolled back to v1.14.0');
  }
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

const efi = (id: string) =>
  partition(id, 1, { partitionLabel: 'EFI', name: 'vfat', partitionUuid: `AAAA-${id}` });

test('the boot partition is the one of the system disk that the firmware was started from', async (t) => {
  const meta = partition('vda', 2, { partitionLabel: 'META' });
  const inventory = { disks: [disk('vda'), disk('vdb')], volumes: [efi('vda'), meta, efi('vdb')] };
  t.is(findBootPartition(inventory, { loader: 'systemd-boot', partitionUuid: 'aaaa-vda' }), '/dev/vda1');
  t.is(findBootPartition(inventory, { loader: 'systemd-boot', partitionUuid: undefined }), '/dev/vda1');
  t.throws(() => findBootPartition(inventory, { loader: 'systemd-boot', partitionUuid: 'aaaa-vdb' }), {
    message: /aaaa-vdb.*aaaa-vda/u,
  });
  t.throws(
    () =>
      findBootPartition(
        { ...inventory, volumes: [efi('vda')] },
        { loader: 'systemd-boot', partitionUuid: undefined },
      ),
    {
      message: 'machine is not installed',
    },
  );
  const root = await temporaryDirectory(t);
  const variable = (name: string, text: string): Promise<void> =>
    writeFile(
      join(root, `${name}-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f`),
      Buffer.concat([Buffer.from([6, 0, 0, 0]), Buffer.from(`${text}\0`, 'utf16le')]),
    );
  const commandLine = join(root, 'cmdline');
  await writeFile(commandLine, 'os.boot.entry=nodeos-1.14.9-9.efi os.boot.partition=BBBB-VDA');
  const places = { root, commandLine, firmware: root };
  const none = { loader: 'systemd-boot', selected: undefined, partitionUuid: undefined } as const;
  t.deepEqual(await loaderFacts(places), none, 'on a machine with UEFI the words of GRUB mean nothing');
  await variable('LoaderEntrySelected', 'nodeos-1.14.1-2+2-1.efi');
  await variable('LoaderDevicePartUUID', 'AAAA-VDA');
  t.like(await loaderFacts(places), {
    selected: { imageVersion: '1.14.1', sequence: 2 },
    partitionUuid: 'aaaa-vda',
  });
});

test('a machine with a BIOS was started from the partition that GRUB names', async (t) => {
  const root = await temporaryDirectory(t);
  const places = { root, commandLine: join(root, 'cmdline'), firmware: join(root, 'none') };
  await writeFile(places.commandLine, 'os.boot.entry=nodeos-1.14.1-2.efi os.boot.partition=BBBB-VDA\n');
  const facts = await loaderFacts(places);
  const selected = { imageVersion: '1.14.1', sequence: 2 };
  t.deepEqual(facts, { loader: 'grub', selected, partitionUuid: 'bbbb-vda' });
  const boot = partition('vda', 3, { partitionLabel: 'BOOT', name: 'vfat', partitionUuid: 'BBBB-vda' });
  const meta = partition('vda', 4, { partitionLabel: 'META' });
  const inventory = { disks: [disk('vda')], volumes: [efi('vda'), boot, meta] };
  t.is(findBootPartition(inventory, facts), '/dev/vda3');
  t.throws(() => findBootPartition({ ...inventory, volumes: [efi('vda'), meta] }, facts), {
    message: 'machine is not installed',
  });
  await writeFile(places.commandLine, 'os.boot.entry=../../etc os.boot.partition=\n');
  const unknown = { loader: 'grub', selected: undefined, partitionUuid: undefined } as const;
  t.deepEqual(await loaderFacts(places), unknown);
});
