import { root, testWith } from '@nodecore/testkit';

import { printedBy, scene, until } from './supervised.ts';

/** capabilities(7) */
const sysBoot = 1n << 22n;

testWith(root)('a confined program has no more rights than it is given, and gets none back', async (t) => {
  const one = await scene(t);
  const argv = ['/bin/sh', '-c', 'grep -E "^(CapBnd|CapEff|NoNewPrivs):" /proc/self/status'] as const;
  const confinement = ['--no-new-privs', '--bounding-set=-sys_boot'];
  await one.supervisor.define({ id: 'a', program: { argv, confinement }, restart: 'once' });
  await until(one, 'a', ({ state }) => state === 'Finished' || state === 'Failed');
  const printed = await printedBy(one, 'a');
  const [, effective = ''] = /^CapEff:\s(\w+)$/mu.exec(printed) ?? [];
  const [, bounding = ''] = /^CapBnd:\s(\w+)$/mu.exec(printed) ?? [];
  t.regex(printed, /^NoNewPrivs:\s1$/mu);
  for (const rights of [effective, bounding]) {
    t.is(BigInt(`0x${rights}`) & sysBoot, 0n, printed);
    t.not(BigInt(`0x${rights}`), 0n, printed);
  }
});
