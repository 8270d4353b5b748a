import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Finding, genericComponent, scan } from '@nodecore/sbom';

import { debianScene } from './debian-scene.ts';
import { ask, type Bench } from './question.ts';

/** As scripts/setup has unpacked it. */
const debsecan = fileURLToPath(new URL('../../.cache/debsecan/debsecan', import.meta.url));
/** As many of packages that are not there as of those that are: lists are of all that a suite has. */
const known = { each: 20, others: 1_000 };

export const bench: Bench = {
  async prepare(stack) {
    const directory = await mkdtemp(join(tmpdir(), 'nodecore-scan-'));
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    const scene = await debianScene(directory, debsecan, known);
    const product = genericComponent('nodeos', 'v1.14.0');
    const { components, vulnerabilities } = scene;
    // debsecan looks for the source that signs kernels; vulnerabilities are told of the one that is signed.
    const kernels = new Set(
      components.flatMap(({ name, purl }) =>
        purl.qualifiers?.['upstream']?.startsWith('linux') ? [name] : [],
      ),
    );
    const comparable = (lines: readonly string[]): readonly string[] =>
      lines.filter((line) => !kernels.has(line.split(' ')[1] ?? '')).toSorted();
    const found = async (): Promise<readonly Finding[]> => {
      using database = scene.open();
      return (await scan(product, components, { database, vex: undefined })).findings;
    };
    return [
      ask({
        name: 'scan',
        question: `How long does it take to find which of ${vulnerabilities} vulnerabilities ${components.length} packages of Debian have?`,
        gate: 0.3,
        ours: {
          name: 'database and scan',
          run: async () =>
            comparable((await found()).map(({ advisory, component }) => `${advisory.id} ${component.name}`)),
          sample: () => timed(found),
        },
        peer: {
          name: 'debsecan',
          run: async () => comparable((await scene.debsecan()).trim().split('\n')),
          sample: () => timed(scene.debsecan),
        },
      }),
    ];
  },
};

/** Milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
