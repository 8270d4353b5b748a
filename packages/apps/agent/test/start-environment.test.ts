import { readFile } from 'node:fs/promises';

import { agentEnvironment } from '@nodecore/testkit/agent-environment';
import test from 'ava';

test('the unit and PID 1 of the image start the agent with what tests and benches start it with', async (t) => {
  const unit = await readFile(new URL('../nodecore-agent.service', import.meta.url), 'utf8');
  const init = await readFile(new URL('../../../../native/init/agent.cc', import.meta.url), 'utf8');
  for (const [name, value] of Object.entries(agentEnvironment)) {
    t.true(unit.includes(`\nEnvironment=${name}=${value}\n`), name);
    t.true(init.includes(`"${name}=${value}",`), name);
  }
});
