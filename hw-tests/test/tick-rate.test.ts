import { join } from 'node:path';

import { command } from '@nodecore/testkit';
import test from 'ava';

import { compiledProgram } from '../src/compiled-program.ts';
import { hostDirectory } from '../src/paths.ts';
import { tickRateKhz } from '../src/tick-rate.ts';

test('the rate of the counter is measured once, and another measurement agrees within a thousandth', async (t) => {
  const rate = await tickRateKhz();
  if (rate === undefined) {
    t.not(process.arch, 'x64');
    return;
  }
  t.is(await tickRateKhz(), rate);
  const { stdout } = await command([await compiledProgram(join(hostDirectory, 'tick-rate.c'))]);
  t.true(Math.abs(Number(stdout) - rate) < rate / 1000, `${stdout} and ${rate}`);
});
