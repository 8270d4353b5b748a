import { output, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { installerKey } from '../../packages/apps/agent/test/installer-registry.ts';
import { biosNode, biosRelease } from './bios-node.ts';
import { cutUpgrade, writtenBy } from './bios-states.ts';
import { moduleExtensions } from './module-extensions.ts';
import { stopwatch } from './stopwatch.ts';
import { tinyUki } from './tiny-system.ts';

const seed = Number(process.env['NODECORE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

testWith(
  program('qemu-system-x86_64'),
  program('mksquashfs'),
  program('mcopy'),
)(
  'a node with a BIOS comes back from a release that hangs and says so, loads modules of extensions, and is upgraded over its API to a release that proves itself, though nobody has begun its kvstore, and that has the filesystem of a volume; a power cut would have left what GRUB starts',
  async (t) => {
    t.timeout(600_000);
    const key = installerKey();
    const modules = await moduleExtensions(await temporaryDirectory(t), {
      modules: { 'os/raid': ['raid1'], 'os/forged': ['dummy'] },
      changed: ['dummy'],
      without: ['btrfs'],
    });
    const uki = await biosRelease('1.14.0~alpha.0', key, modules);
    const hangs = await tinyUki('1.14.0', 'hangs');
    const node = await biosNode(t, {
      entries: [
        { imageVersion: '1.14.0~alpha.0', sequence: 1, uki },
        { imageVersion: '1.14.0', sequence: 2, tries: { left: 1, done: 0 }, uki: hangs },
      ],
      key,
      recordedBoot: 1,
      signal: AbortSignal.timeout(560_000),
    });
    const { machine, osctl, until, reasons, consoles } = node;
    const release = await biosRelease('1.14.1', key);
    const good = await node.serve('v1.14.1', release);
    const lap = stopwatch(t);
    await machine.powerOn();
    await node.configure();
    lap('a release that hangs, and the one before until its configuration is there');
    t.deepEqual(reasons, ['guest-reset']);
    t.regex(consoles[0] ?? '', /\/dev\/watchdog0 bites when the start hangs for 2 s/);
    t.notRegex(consoles[0] ?? '', /drivers are loaded|Kernel panic/, 'nothing but the watchdog has ended it');
    const entries = await until(['get', 'bootentries'], /v1\.14\.0-alpha\.0 +good +true/);
    t.regex(
      entries,
      /v1\.14\.0 +bad +0 +false +it was started once, and neither its kernel nor its agent left/,
    );
    const booted = await osctl('get', 'bootedentries', '-o', 'json');
    t.true(booted.stdout.includes(`"sizeBytes": ${uki.size}`), booted.stdout);
    t.true(booted.stdout.includes('"entry": "nodeos-1.14.0~alpha.0-1.efi"'), booted.stdout);
    // Volumes would be named before.
    const lacks = /"unmetConditions": ?\[\s*\{\s*"name": ?"kvstore"/;
    await until(['get', 'machinestatus', '-o', 'json'], lacks);
    lap('until it lacks its bootstrap alone');
    // Of an extension, with what it needs; and one that nobody has signed as it is.
    const loaded = await until(['get', 'modules'], /raid1 +\d+ +module +live/);
    t.regex(loaded, /md_mod +\d+ +module +live/);
    t.regex(loaded, /dummy +\d+ +module +missing +dummy: .*(?:no key|Key was rejected)/);
    await until(
      ['get', 'volumestatus', 'u-b', '-o', 'json'],
      /the system that runs has no btrfs: the extension os\/btrfs is not in the booted image/,
    );
    lap('until modules are loaded, and what is not in the image is named');

    const from = await writtenBy(node);
    const upgraded = await osctl('upgrade', '--image', good);
    lap('upgrade, until the release is there');
    t.is(upgraded.code, 0, upgraded.stderr);
    t.regex(upgraded.stdout, /: is back \(kvstore: it has no data: run osctl bootstrap .*\): v1\.14\.1\n$/);
    t.deepEqual(reasons, ['guest-reset', 'guest-reset']);
    const trying = await until(['get', 'bootentries'], /v1\.14\.0-alpha\.0 +fallback +false/);
    t.regex(trying, /v1\.14\.1 +trying +2 +true/);
    await until(['get', 'volumestatus'], /u-b +\d+ .*ready/);
    lap('until the volume is ready whose filesystem is in this image');
    await until(['get', 'bootentries'], /v1\.14\.1 +good +true/);
    lap('until it is good');
    await machine.powerOff({ graceMs: 60_000 });

    // GRUB's own environment, by a program that knows FAT.
    const directory = await temporaryDirectory(t);
    await output(['mcopy', '-n', '-i', `${node.disk}@@${2 << 20}`, '::grub/grubenv', directory]);
    const environment = await readFile(join(directory, 'grubenv'), 'latin1');
    t.regex(environment, /^a_left=good$/m);
    t.regex(environment, /^b_left=good$/m);
    t.regex(environment, /^first=b$/m);
    lap('the end');

    t.log(`NODECORE_SEED=${seed}`);
    const hash = async (image: typeof uki): Promise<string> => (await image.digest('sha256')).toString('hex');
    const [former, other] = [await hash(uki), await hash(release)];
    const looked = await cutUpgrade(node, { from, most: 5, seed }, (menu, state) => {
      t.is(menu.get('nodeos-1.14.0~alpha.0-1.efi'), former, `${state}: what ran is not whole`);
      for (const [entry, sha256] of menu)
        if (entry !== 'nodeos-1.14.0~alpha.0-1.efi') t.is(sha256, other, `${state}: ${entry} is not whole`);
    });
    t.is(looked, 5);
    lap('five power cuts');
  },
);
