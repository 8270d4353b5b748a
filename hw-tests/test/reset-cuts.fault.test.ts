import { program, testWith } from '@nodecore/testkit';
import test from 'ava';

import { comeBack, cutResets, resetNode } from './reset-story.ts';

const seed = Number(process.env['NODECORE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** A start of an emulated machine each. */
const starts = Number(process.env['RESET_STARTS'] ?? 10);
const most = 30;
const needed = testWith(program('qemu-system-x86_64'));
const campaign: typeof needed =
  process.env['FAULT_CAMPAIGN'] === 'long' ? needed : (title, body) => test.skip(title, body);

campaign(
  'after a power cut at any of thirty moments of a reset nothing is wiped, or all of it is or will be: ten of the nodes are started, and come back by themselves',
  async (t) => {
    t.timeout(1_500_000);
    t.log(`NODECORE_SEED=${seed}`);
    const node = await resetNode(t);
    t.deepEqual([...node.filesystems.keys()].toSorted(), ['EPHEMERAL', 'STATE']);
    const outcomes = new Map<string, number>();
    let number = 0;
    for await (const { state, image, isPromised, kept } of cutResets(node, { most, seed })) {
      const outcome = isPromised ? 'goes on' : kept.length === 0 ? 'wiped' : 'untouched';
      t.log(`${state}: ${outcome}, ${kept.join(' and ') || 'nothing'} there`);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (outcome === 'untouched') t.deepEqual(kept, ['STATE', 'EPHEMERAL'], `${state}: it is half wiped`);
      if (number++ % Math.ceil(most / starts) !== 0) continue;
      const back = await comeBack(node, image);
      t.deepEqual(
        back,
        outcome === 'untouched'
          ? { as: 'configured', isPromised: false, kept: ['STATE', 'EPHEMERAL'] }
          : { as: 'maintenance', isPromised: false, kept: [] },
        `${state}: ${outcome}`,
      );
    }
    t.log([...outcomes].map(([outcome, count]) => `${outcome}: ${count}`).join(', '));
    t.true((outcomes.get('goes on') ?? 0) > 0, 'no cut was in the midst of it');
  },
);
