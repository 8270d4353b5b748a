import { program, testWith } from '@nodecore/testkit';
import test from 'ava';

import { installerKey } from '../../packages/apps/agent/test/installer-registry.ts';
import { biosNode, biosRelease } from './bios-node.ts';
import { cutUpgrade, writtenBy } from './bios-states.ts';
import { tinyUki } from './tiny-system.ts';

const seed = Number(process.env['NODECORE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const running = 'nodeos-1.14.0~alpha.0-1.efi';
/* A release that is good, and five moments: bios-upgrade.vm.test.ts. */
const needed = testWith(
  program('qemu-system-x86_64'),
  program('mksquashfs'),
  program('mcopy'),
  program('mtype'),
);
const campaign: typeof needed =
  process.env['FAULT_CAMPAIGN'] === 'long' ? needed : (title, body) => test.skip(title, body);

campaign(
  'a node with a BIOS that is upgraded over its API to a release that hangs comes back by itself after three starts and says why; after a power cut at any of thirty moments of it GRUB starts what ran, or the other release whole',
  async (t) => {
    t.timeout(600_000);
    t.log(`NODECORE_SEED=${seed}`);
    const key = installerKey();
    const uki = await biosRelease('1.14.0~alpha.0', key);
    const node = await biosNode(t, {
      entries: [{ imageVersion: '1.14.0~alpha.0', sequence: 1, uki }],
      key,
      recordedBoot: 0,
      signal: AbortSignal.timeout(560_000),
    });
    const { machine, osctl, until, reasons, consoles } = node;
    const release = await tinyUki('1.14.1', 'hangs');
    const image = await node.serve('v1.14.1', release);
    await machine.powerOn();
    await node.configure();
    await until(['get', 'machinestatus', '-o', 'json'], /"unmetConditions": ?\[\s*\{\s*"name": ?"kvstore"/);

    const from = await writtenBy(node);
    const back = await osctl('upgrade', '--image', image);
    t.not(back.code, 0, back.stdout);
    t.regex(
      back.stderr,
      /v1\.14\.1 did not come up, and v1\.14\.0-alpha\.0 runs: osctl get bootentries says why/,
    );
    t.deepEqual(
      reasons,
      Array.from({ length: 4 }, () => 'guest-reset' as const),
      'the upgrade, and each start of what hangs',
    );
    for (const console of consoles.slice(1)) {
      t.regex(console, /\/dev\/watchdog0 bites when the start hangs for 2 s/);
      t.notRegex(console, /drivers are loaded|Kernel panic/, 'nothing but the watchdog has ended it');
    }
    const entries = await until(['get', 'bootentries'], /v1\.14\.1 +bad/);
    t.regex(
      entries,
      /v1\.14\.1 +bad +0 +false +it was started 3 times, and neither its kernel nor its agent left a reason/,
    );
    await machine.powerOff({ graceMs: 60_000 });

    const hash = async (view: typeof uki): Promise<string> => (await view.digest('sha256')).toString('hex');
    const [former, other] = [await hash(uki), await hash(release)];
    const looked = await cutUpgrade(node, { from, most: 30, seed }, (menu, state) => {
      t.is(menu.get(running), former, `${state}: what ran is not whole`);
      for (const [entry, sha256] of menu)
        if (entry !== running) t.is(sha256, other, `${state}: ${entry} is not whole`);
    });
    t.is(looked, 30);
  },
);
