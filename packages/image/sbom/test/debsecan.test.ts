import { findProgram, program, temporaryDirectory, testWith } from '@nodecore/testkit';

import { scan } from '../src/index.ts';
import { debianScene } from '../../../../bench/src/debian-scene.ts';
import { product } from './sample.ts';

testWith(program('debsecan'))(
  "of every package of this computer debsecan finds what we find, but for the kernel's own source",
  async (t) => {
    const scene = await debianScene(await temporaryDirectory(t), findProgram('debsecan') ?? '', {
      each: 14,
      others: 10,
    });
    using database = scene.open();
    const { findings } = await scan(product, scene.components, { database, vex: undefined });
    const ours = new Set(findings.map(({ advisory, component }) => `${advisory.id} ${component.name}`));
    const theirs = new Set((await scene.debsecan()).trim().split('\n'));
    t.true(theirs.size > 1_000, `${theirs.size} of ${scene.vulnerabilities}`);
    t.deepEqual(
      [...theirs].filter((line) => !ours.has(line)),
      [],
    );
    // It looks for the source that signs kernels; vulnerabilities are told of the one that is signed, linux.
    const others = [...ours].filter((line) => !theirs.has(line)).map((line) => line.split(' ')[1] ?? '');
    t.true(others.length > 0);
    const kernels = scene.components.filter(({ purl }) => purl.qualifiers?.['upstream']?.startsWith('linux'));
    t.deepEqual(
      others.filter((name) => !kernels.some((kernel) => kernel.name === name)),
      [],
    );
    t.log(
      `${scene.components.length} packages, ${scene.vulnerabilities} vulnerabilities, ${theirs.size} findings`,
    );
  },
);
