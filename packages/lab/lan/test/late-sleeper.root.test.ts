import { readlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { findProgram, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { findHolder, startHolder } from '../src/holder.ts';
import { membersAre } from './members.ts';

testWith(root)('nothing is left of one that is killed before what it waits for would be told', async (t) => {
  const directory = await temporaryDirectory(t);
  // Begins when who started it is gone.
  const late = `#!/bin/sh\nwhile kill -0 $PPID 2>/dev/null; do :; done\nexec ${findProgram('setpriv')} "$@"\n`;
  await writeFile(join(directory, 'setpriv'), late, { mode: 0o755 });
  const path = process.env['PATH'];
  process.env['PATH'] = `${directory}:${path}`;
  t.teardown(() => (process.env['PATH'] = path));
  const name = `os-${basename(directory)}`;
  await startHolder(name);
  const holder = findHolder(name) ?? 0;
  const namespace = await readlink(`/proc/${holder}/ns/net`);
  await membersAre(t, namespace, (commands) => commands.includes('setpriv'));
  process.kill(holder, 'SIGKILL');
  await membersAre(t, namespace, (commands) => commands.length === 0);
  t.is(findHolder(name), undefined);
});
