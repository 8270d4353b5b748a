import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readVariable } from '@nodecore/efi';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import { pino } from 'pino';

import { UpgradeError } from '../src/upgrades/errors.ts';
import { takeBackChoices } from '../src/upgrades/menu-choices.ts';
import { serveInstaller } from './installer-registry.ts';
import { key, nodeWith } from './upgrading-node.ts';

const vendor = '4a67b082-0a4c-41cf-b6c7-440b29bb8c4f';
const log = pino({ level: 'silent' });

/** A directory as efivarfs shows it, with what was chosen for the boot loader, and with what else it keeps there. */
async function firmwareWith(root: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const value = Buffer.from('nodeos-1.14.0-1.efi\0', 'utf16le');
    await writeFile(join(root, `${name}-${vendor}`), Buffer.concat([Buffer.from([7, 0, 0, 0]), value]));
  }
}

const refused = async (): Promise<void> => {
  throw new UpgradeError('ERR_UPGRADE_FIRMWARE', 'the firmware keeps LoaderEntryDefault (EPERM)');
};

test('what was chosen for the boot loader is taken back, and nothing else of its variables', async (t) => {
  const root = await temporaryDirectory(t);
  const others = ['LoaderConfigTimeout', 'LoaderEntrySelected', 'LoaderSystemToken'];
  await firmwareWith(root, [...others, 'LoaderEntryDefault', 'LoaderEntryOneShot', 'LoaderEntryPreferred']);
  await takeBackChoices(log, root);
  t.deepEqual(
    (await readdir(root)).toSorted(),
    others.map((name) => `${name}-${vendor}`),
  );
  await takeBackChoices(log, root);
  await t.notThrowsAsync(takeBackChoices(log, join(root, 'no firmware')));
});

test('an upgrade and a rollback are what boots next, whatever was chosen before', async (t) => {
  const root = await temporaryDirectory(t);
  const takeBack = () => takeBackChoices(log, root);
  const chosen = () => readVariable({ name: 'LoaderEntryDefault', vendor, root });
  await firmwareWith(root, ['LoaderEntryDefault']);
  const node = await nodeWith(t, ['nodeos-1.14.0-1.efi'], { takeBack });
  const { reference } = await serveInstaller(t, { key });
  await node.upgrade(reference, { dryRun: true });
  t.truthy(await chosen(), 'a trial changes nothing');
  await node.upgrade(reference);
  t.is(await chosen(), undefined);
  await firmwareWith(root, ['LoaderEntryDefault']);
  const returning = await nodeWith(t, ['nodeos-1.14.1-2.efi', 'nodeos-1.14.0-1.efi'], { takeBack });
  await returning.upgrades.rollback();
  t.is(await chosen(), undefined);
});

test('a firmware that keeps the choice has an upgrade and a rollback fail, and they change nothing', async (t) => {
  const node = await nodeWith(t, ['nodeos-1.14.0-1.efi'], { takeBack: refused });
  const { reference } = await serveInstaller(t, { key });
  await t.throwsAsync(node.upgrade(reference), { code: 'ERR_UPGRADE_FIRMWARE' });
  t.false(
    node.events.some(({ phase }) => phase === 'switch'),
    'nobody is told that it is tried',
  );
  t.deepEqual(await node.entries(), ['nodeos-1.14.0-1.efi'], 'what failed does not start at some later boot');
  const files = ['nodeos-1.14.1-2.efi', 'nodeos-1.14.0-1.efi'];
  const returning = await nodeWith(t, files, { takeBack: refused });
  await t.throwsAsync(returning.upgrades.rollback(), { code: 'ERR_UPGRADE_FIRMWARE' });
  t.deepEqual(await returning.entries(), files.toSorted());
});
