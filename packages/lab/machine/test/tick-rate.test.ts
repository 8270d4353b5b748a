import { command, temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { compiledProgram } from '../src/compiled-program.ts';
import { tickRateKhz, tickRateSource } from '../src/tick-rate.ts';

test('the rate of the counter is measured once, and another measurement agrees within a thousandth', async (t) => {
  const cache = await temporaryDirectory(t);
  const rate = await tickRateKhz(cache);
  if (rate === undefined) {
    t.not(process.arch, 'x64');
    return;
  }
  t.is(await tickRateKhz(cache), rate);
  const { stdout } = await command([await compiledProgram(tickRateSource, cache)]);
  t.true(Math.abs(Number(stdout) - rate) < rate / 1000, `${stdout} and ${rate}`);
});
