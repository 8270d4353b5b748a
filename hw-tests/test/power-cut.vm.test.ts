import { program, temporaryDirectory, testWith } from '@nodecore/testkit';

import { randomNumbers } from '../src/power-cut/random.ts';
import { CutStory } from './power-cut-story.ts';

const seed = Number(process.env['NODECORE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const moments = ['while it starts', 'while it joins', 'while its configuration is kept'] as const;

/* Of the long story (power-cuts.fault.test.ts) one cut, which the run chooses, of a node whose kernel QEMU loads. */
testWith(program('qemu-system-x86_64'), program('swtpm'))(
  'after a power cut at a random moment of its first minutes a node is whole, and one machine in the fleet',
  async (t) => {
    t.timeout(900_000);
    const random = randomNumbers(seed);
    const moment = moments[Math.floor(random() * moments.length)] ?? 'while it joins';
    t.log(`NODECORE_SEED=${seed}: the power is cut ${moment}`);
    const signal = AbortSignal.timeout(850_000);
    const means = { random, log: (line: string) => t.log(line), signal };
    await using story = await CutStory.beginDirectly(await temporaryDirectory(t), means);
    await story.serveDirectly();
    if (moment === 'while its configuration is kept') {
      await story.powerOn();
      t.is(await story.untilAnswers(), 'maintenance');
      const isApplied = await story.cutApply();
      const found = await story.untilAnswers();
      if (isApplied) t.is(found, 'configured', 'what was promised to be kept is gone');
      t.log(`after the cut the node is ${found}`);
      if (found === 'maintenance') await story.apply();
      t.is(await story.configuration(), await story.appliedConfiguration());
    } else {
      await (moment === 'while it joins' ? story.cutJoin() : story.cutFirstBoot());
      await story.powerOn();
      t.is(await story.untilAnswers(), 'maintenance');
    }
    t.is((await story.fleetMachines()).length, 1, 'it is one machine in the fleet, not two');
  },
);
