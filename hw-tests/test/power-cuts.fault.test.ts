import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test from 'ava';

import { eachBootState } from '../src/power-cut/boot-states.ts';
import { randomNumbers } from '../src/power-cut/random.ts';
import { chosenStates } from './chosen-states.ts';
import { CutStory } from './power-cut-story.ts';

const seed = Number(process.env['NODECORE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** Of the states around a rename; an image for each, and half a second. */
const maxStates = 24;
/* Five boots of the whole image through an emulated firmware, nine minutes of processor time: the long campaign. */
const needed = testWith(program('qemu-system-x86_64'), program('swtpm'), program('mtype'));
const campaign: typeof needed =
  process.env['FAULT_CAMPAIGN'] === 'long' ? needed : (title, body) => test.skip(title, body);

campaign(
  'after power cuts while the release is built, at the first boot, at joining, at the configuration and at the entry of an upgrade the node is whole and in the fleet',
  async (t) => {
    t.timeout(1_800_000);
    t.log(`NODECORE_SEED=${seed}`);
    const random = randomNumbers(seed);
    const directory = await temporaryDirectory(t);
    const signal = AbortSignal.timeout(1_700_000);
    await using story = await CutStory.begin(directory, { random, log: (line) => t.log(line), signal });

    const { versions, refused } = await story.cutReleaseBuild();
    t.deepEqual(versions, ['v1.14.0-alpha.0'], refused);
    await story.finishReleaseBuild();
    await story.serve();

    await story.cutFirstBoot();
    await story.cutJoin();
    const schematic = await story.untilMaintenance();
    t.is(schematic, story.schematic, 'osctl get extensions --insecure');

    const isApplied = await story.cutApply();
    const found = await story.untilAnswers();
    if (isApplied) t.is(found, 'configured', 'what was promised to be kept is gone');
    t.log(`after the cut the node is ${found}`);
    if (found === 'maintenance') await story.apply();
    t.is(await story.configuration(), await story.appliedConfiguration());
    const joined = await story.fleetMachines();
    t.is(joined.length, 1, 'a node that lost power while it joined is one machine, not two');

    const from = await story.cutEntryRename();
    const work = join(directory, 'states');
    await mkdir(work);
    const promised = await story.promisedUkis();
    const looked = await eachBootState(
      { ...story.recorded, from, work },
      (states) => chosenStates(states, { most: maxStates, seed }),
      (menu, { name }) => {
        t.true(menu.get(story.firstEntry) === promised.get('v1.14.0-alpha.0'), `the good entry, ${name}`);
        for (const [entry, sha256] of menu)
          if (entry !== story.firstEntry)
            t.true(sha256 === promised.get('v1.14.0-alpha.1'), `${entry}, ${name}`);
      },
    );
    t.true(looked > 0);
    t.log(`${looked} states of the entry's rename, read by another program`);

    await story.powerOn();
    t.is(await story.untilAnswers(), 'configured');
    t.regex(await story.bootedVersion(), /^1\.14\.0~alpha\.[01]$/);
    t.is(await story.configuration(), await story.appliedConfiguration());
    await story.untilThroughFleet();
    t.deepEqual(await story.fleetMachines(), joined, 'it is the machine that it was');
  },
);
