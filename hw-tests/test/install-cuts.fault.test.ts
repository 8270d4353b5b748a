import { program, testWith } from '@nodecore/testkit';
import test from 'ava';

import { cutInstallations } from './install-states.ts';
import { installFromCd } from './install-story.ts';

const seed = Number(process.env['NODECORE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/* One of them is in install.vm.test.ts, with five moments. */
const needed = testWith(program('qemu-system-x86_64'), program('mtype'), program('mksquashfs'));
const campaign: typeof needed =
  process.env['FAULT_CAMPAIGN'] === 'long' ? needed : (title, body) => test.skip(title, body);

campaign(
  'after a power cut at any of thirty moments of an installation the machine starts, or is installed again without consent',
  async (t) => {
    t.timeout(400_000);
    t.log(`NODECORE_SEED=${seed}`);
    const installed = await installFromCd(t);
    const sha256 = (await installed.uki.digest('sha256')).toString('hex');
    const outcomes = new Map<string, number>();
    for await (const { state, found, menu } of cutInstallations(installed, { most: 30, seed })) {
      t.log(`${state}: ${found}`);
      outcomes.set(found, (outcomes.get(found) ?? 0) + 1);
      t.not(found, 'occupied', `${state}: the next installation would need somebody's consent`);
      if (found === 'system') t.deepEqual(menu, new Map([['nodeos-1.14.1-1.efi', sha256]]), state);
    }
    t.is(
      [...outcomes.values()].reduce((sum, count) => sum + count, 0),
      30,
    );
  },
);
