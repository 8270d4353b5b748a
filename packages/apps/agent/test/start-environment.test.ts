import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

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

/** They start it for its help, or look at the processes that others have started. */
const others = new Set([
  'packages/apps/osctl/test/bin.test.ts',
  'packages/foundation/testkit/src/agent-program.ts',
  'packages/foundation/testkit/src/compile-cache.ts',
  'hw-tests/test/start.vm.test.ts',
]);

test('whatever of this checkout starts the agent sets its environment', async (t) => {
  const cwd = fileURLToPath(new URL('../../../..', import.meta.url));
  const files = globSync(
    ['bench/src/**/*.ts', 'hw-tests/{src,test}/**/*.ts', 'packages/*/*/{src,test}/**/*.ts'],
    {
      cwd,
    },
  );
  const starters = [];
  for (const file of files) {
    const text = await readFile(`${cwd}/${file}`, 'utf8');
    if (!/'[^'\n]*nodecore-agent\.js'|\bagentProgram,/.test(text) || others.has(file)) continue;
    starters.push(file);
    // The fleet's starter of programs is beside the test that names this one.
    const starter = text.includes('RunningProgram') ? 'packages/apps/fleet/test/programs.ts' : file;
    const uses = (await readFile(`${cwd}/${starter}`, 'utf8')).match(/\.\.\.[^\n]*\bagentEnvironment\b/);
    t.truthy(uses, file);
  }
  t.true(starters.length >= 5, starters.join());
});
