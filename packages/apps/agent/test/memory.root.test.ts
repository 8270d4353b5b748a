import { readFile } from 'node:fs/promises';

import { memoryFlags, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { AgentProcess } from './agent-process.ts';

const test = testWith(root, program('prlimit'));

test('however it is started, the agent has no core dumps, and its keys are in locked memory', async (t) => {
  const unlimited = ['prlimit', '--core=unlimited:unlimited', '--'];
  const agent = await AgentProcess.start(t, await temporaryDirectory(t), [], unlimited);
  t.regex(await readFile(`/proc/${agent.pid}/limits`, 'utf8'), /^Max core file size +0 +0 /m);
  // The key of its certificate is there already.
  const arena = memoryFlags(agent.pid).filter((flags) => flags.includes('wf'));
  t.true(arena.length > 0);
  for (const flags of arena) for (const flag of ['lo', 'dd']) t.true(flags.includes(flag), flags.join(' '));
});
