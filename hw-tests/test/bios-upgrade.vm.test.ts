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
  'a node with a BIOS comes back from a release that hangs and says so, loads modules of extensions, refuses a release that is unsigned or not whole, and is upgraded over its API, twice before it reboots: the second release proves itself, though nobody has begun its kvstore, and has the filesystem of a volume; a rollback has the first one run again, and a power cut would have left what GRUB starts',
  async (t) => {
    t.timeout(1_400_000);
    const key = installerKey();
    const modules = await moduleExtensions(await temporaryDirectory(t), {
      modules: { 'os/forged': ['dummy'] },
      changed: ['dummy'],
      recipes: ['os/drbd'],
    });
    const btrfs = await moduleExtensions(await temporaryDirectory(t), {
      modules: {},
      changed: [],
      recipes: ['os/btrfs'],
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
      signal: AbortSignal.timeout(1_300_000),
    });
    const { machine, osctl, until, reasons, consoles } = node;
    const release = await biosRelease('1.14.1', key, btrfs);
    const good = await node.serve('v1.14.1', release);
    const higher = await tinyUki('1.14.2', 'hangs');
    const mistaken = await node.serve('v1.14.2', higher);
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
    const loaded = await until(['get', 'modules'], /drbd +\d+ +module +live/);
    t.regex(loaded, /lru_cache +\d+ +module +live/);
    t.regex(loaded, /dummy +\d+ +module +missing +dummy: .*(?:no key|Key was rejected)/);
    await until(
      ['get', 'volumestatus', 'u-b', '-o', 'json'],
      /the system that runs has no btrfs: the extension os\/btrfs is not in the booted image/,
    );
    lap('until modules are loaded, and what is not in the image is named');

    const from = await writtenBy(node);
    for (const [changes, why] of [
      [{ key: installerKey() }, /no key that the running image trusts has signed the installer image/],
      [{ change: halve }, /nodeos\.uki\.efi/],
    ] as const) {
      const refused = await osctl('upgrade', '--image', await node.serve('v1.14.3', higher, changes));
      t.not(refused.code, 0, refused.stdout);
      t.regex(refused.stderr, why);
    }
    t.notRegex(await until(['get', 'bootentries'], /v1\.14\.0/), /v1\.14\.3/, 'nothing of them is written');
    lap('until what nobody trusts and what is not whole are refused');
    const staged = await osctl('upgrade', '--image', mistaken, '--no-reboot');
    t.is(staged.code, 0, staged.stderr);
    const both = await until(['get', 'bootentries'], /v1\.14\.2 +staged +3 +false/);
    t.regex(both, /v1\.14\.0-alpha\.0 +good +true/);
    t.is(reasons.length, 1, 'nothing has rebooted');
    lap('until a release is staged that nobody will start');
    const upgraded = await osctl('upgrade', '--image', good);
    lap('upgrade, until the release is there');
    t.is(upgraded.code, 0, upgraded.stderr);
    t.regex(upgraded.stdout, /: is back \(kvstore: it has no data: run osctl bootstrap .*\): v1\.14\.1\n$/);
    t.deepEqual(reasons, ['guest-reset', 'guest-reset']);
    const trying = await until(['get', 'bootentries'], /v1\.14\.0-alpha\.0 +fallback +false/);
    t.regex(trying, /v1\.14\.1 +trying +2 +true/);
    t.notRegex(trying, /v1\.14\.2/, 'the second upgrade has taken its place, though its version is lower');
    await until(['get', 'volumestatus'], /u-b +\d+ .*ready/);
    lap('until the volume is ready whose filesystem is in an extension of this image');
    await until(['get', 'bootentries'], /v1\.14\.1 +good +true/);
    lap('until it is good');
    const back = await osctl('rollback');
    t.is(back.code, 0, back.stderr);
    t.regex(back.stdout, /: v1\.14\.0-alpha\.0\n$/);
    const returned = await until(['get', 'bootentries'], /v1\.14\.0-alpha\.0 +good +true/);
    t.regex(returned, /v1\.14\.1 +bad +0 +false +rolled back to v1\.14\.0-alpha\.0/);
    lap('until the release before runs again');
    await machine.powerOff({ graceMs: 60_000 });

    // GRUB's own environment, by a program that knows FAT.
    const directory = await temporaryDirectory(t);
    await output(['mcopy', '-n', '-i', `${node.disk}@@${2 << 20}`, '::grub/grubenv', directory]);
    const environment = await readFile(join(directory, 'grubenv'), 'latin1');
    t.regex(environment, /^a_left=good$/m);
    t.regex(environment, /^b_left=0$/m, 'what was rolled back from');
    t.regex(environment, /^first=a$/m, 'what was rolled back to');
    lap('the end');

    t.log(`NODECORE_SEED=${seed}`);
    const hash = async (image: typeof uki): Promise<string> => (await image.digest('sha256')).toString('hex');
    const running = 'nodeos-1.14.0~alpha.0-1.efi';
    const whole = new Map([
      [running, await hash(uki)],
      ['nodeos-1.14.0-2.efi', await hash(hangs)],
      ['nodeos-1.14.2-3.efi', await hash(higher)],
      ['nodeos-1.14.1-4.efi', await hash(release)],
    ]);
    const looked = await cutUpgrade(node, { from, most: 5, seed }, (menu, state) => {
      t.true(menu.has(running), `${state}: what ran is not there`);
      for (const [entry, sha256] of menu)
        t.true(sha256 === whole.get(entry), `${state}: ${entry} is not whole`);
    });
    t.is(looked, 5);
    lap('five power cuts');
  },
);

/** An installer image whose release breaks off. */
function halve(files: Map<string, Buffer>): void {
  const whole = files.get('install/nodeos.uki.efi')!;
  files.set('install/nodeos.uki.efi', whole.subarray(0, whole.length / 2));
}
