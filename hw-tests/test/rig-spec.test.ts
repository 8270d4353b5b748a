import test from 'ava';

import { kernelArguments } from '../src/rig-boot.ts';
import { machineOf, specProblems } from '../src/rig-spec.ts';
import { standardMachine } from '../src/standard-machine.ts';

test('a standard machine is one that can be built', (t) => {
  t.deepEqual(specProblems(standardMachine), []);
});

test('the kernel is told how fast the counter of an emulated processor is, and measures that of a real one', (t) => {
  t.regex(kernelArguments(2_445_424), / tsc_early_khz=2445424$/);
  t.regex(kernelArguments(undefined), /^console=(?!.*tsc_early_khz)/);
});

test('a machine of the rig reaches nothing, and is reached at its forwarded ports', (t) => {
  const forwards = [{ host: 50_000, guest: 50_000 }];
  t.deepEqual(machineOf({ ...standardMachine, forwards }).nics, [{ backend: { kind: 'user', forwards } }]);
});
