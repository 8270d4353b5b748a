/**
 * `npm run test:mutants [-- WORD…]`: changes one line of safety code at a time and has the tests that guard it run.
 *
 * A word narrows the mutants by package, file or text. Ends with `N caught, N not caught`, and with 1 when a mutant was not
 * caught, a list is out of date, or a test fails without any mutant.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { inLanes } from '../lanes.ts';
import { readMutants } from './mutant.ts';
import { runTests, verdictOn } from './verdict.ts';

const checkout = fileURLToPath(new URL('../../../../..', import.meta.url));
const words = process.argv.slice(2);
const mutants = readMutants(checkout).filter((mutant) =>
  words.every((word) => Object.values(mutant).flat().join('\n').includes(word)),
);
const lanes = Math.max(1, availableParallelism());
const failures: string[] = [];
const fail = (line: string): void => {
  failures.push(line);
  console.log(`  ✘ ${line}`);
};

// A test that fails anyway would catch everything.
const tests = new Set(
  mutants.flatMap(({ directory, caughtBy }) => caughtBy.map((test) => join(directory, test))),
);
const broken = new Set<string>();
await inLanes(
  lanes,
  [...tests].map((test) => async () => {
    if ((await runTests(checkout, [test])) === 'passed') return;
    broken.add(test);
    fail(`${test} fails without a mutant`);
  }),
);

let caught = 0;
await inLanes(
  lanes,
  mutants.map((mutant) => async () => {
    const { directory, caughtBy, file, line, becomes, guards } = mutant;
    if (caughtBy.some((test) => broken.has(join(directory, test)))) return;
    const verdict = await verdictOn(checkout, mutant);
    if (verdict === 'caught') caught += 1;
    else fail(`${join(directory, file)}: "${line}" → "${becomes}": ${verdict} (guards: ${guards})`);
  }),
);
if (mutants.length === 0) fail(`no mutant matches: ${words.join(' ')}`);
console.log(`${caught} caught, ${mutants.length - caught} not caught`);
process.exitCode = failures.length === 0 ? 0 : 1;
