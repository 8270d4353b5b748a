import { execFile } from 'node:child_process';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import test from 'ava';

test('to load all kinds takes no library but yaml, and no module of Node.js that takes long to load', async (t) => {
  const program = fileURLToPath(new URL('fixtures/loaded.ts', import.meta.url));
  const run = promisify(execFile)(execPath, ['--conditions=source', program], { timeout: 60_000 });
  t.teardown(() => run.child.kill());
  const loaded = (JSON.parse((await run).stdout) as string[]).filter(
    (name) => !name.startsWith('@nodecore/'),
  );
  // buffer and process are for yaml.
  t.deepEqual(loaded.toSorted(), ['buffer', 'node:module', 'process', 'yaml']);
});
