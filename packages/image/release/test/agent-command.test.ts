import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import test from 'ava';

import { agentCapabilities, agentCommand } from '../src/agent-command.ts';
import { checkout } from '../src/paths.ts';

const unit = join(checkout, 'packages/apps/agent/nodecore-agent.service');

test('in the image the agent may have what its unit gives it, and what services need', async (t) => {
  const text = await readFile(unit, 'utf8');
  const ofUnit = [...text.matchAll(/^CapabilityBoundingSet=(.*)$/gmu)].flatMap(([, names = '']) =>
    names.toLowerCase().replaceAll('cap_', '').split(' '),
  );
  t.true(ofUnit.length > 15);
  const others = agentCapabilities.filter((each) => !ofUnit.includes(each));
  t.deepEqual(
    ofUnit.filter((each) => !agentCapabilities.includes(each)),
    [],
  );
  t.deepEqual(others.toSorted(), [
    'bpf',
    'linux_immutable',
    'perfmon',
    'sys_chroot',
    'sys_nice',
    'sys_rawio',
    'sys_time',
  ]);
});

test('PID 1 starts it with these rights and no way to get others, an argument on each line', (t) => {
  const [setpriv, nnp, bounding, end, ...rest] = agentCommand('--import', '/x.mjs').split('\n');
  t.deepEqual([setpriv, nnp, end], ['/usr/bin/setpriv', '--no-new-privs', '--']);
  t.is(bounding, `--bounding-set=-all,${agentCapabilities.map((each) => `+${each}`).join()}`);
  t.deepEqual(rest, ['/usr/bin/node', '--import', '/x.mjs', '/usr/lib/nodeos/agent.cjs', '--image', '']);
});
