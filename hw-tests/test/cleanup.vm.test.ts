import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { identityOf, isRunning, type ProcessIdentity } from '@nodecore/sys';
import test from 'ava';

import { RigMachine, standardMachine } from '../src/index.ts';

const owner = fileURLToPath(new URL('fixtures/machine-owner.ts', import.meta.url));

test.serial(
  'a killed owner takes QEMU and swtpm with it, and the next machine removes what it left',
  async (t) => {
    const child = spawn(process.execPath, ['--conditions=source', owner], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.teardown(() => child.kill('SIGKILL'));
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { pids, directory } = JSON.parse(line.toString()) as { pids: number[]; directory: string };
    t.is(pids.length, 2);
    const identities = pids
      .map(identityOf)
      .filter((identity): identity is ProcessIdentity => identity !== undefined);
    t.is(identities.length, 2);

    child.kill('SIGKILL');
    await once(child, 'exit');
    // The kernel has sent their signals before it told us; swtpm may still be writing its last byte.
    await Promise.all(identities.map(gone));
    t.true(existsSync(join(directory, 'owner')));

    await using machine = await RigMachine.boot({ ...standardMachine, name: 'after', disks: [] });
    t.not(machine.directory, directory);
    t.false(existsSync(directory));
  },
);

/** Polls without a pause between: the processes are not ours, so nothing tells us of their end. */
async function gone(identity: ProcessIdentity): Promise<void> {
  while (isRunning(identity)) await new Promise((resolve) => setImmediate(resolve));
}

test.serial('a closed machine leaves no directory behind', async (t) => {
  const machine = await RigMachine.boot({ ...standardMachine, name: 'closed', disks: [] });
  await machine.close();
  await machine.close();
  t.false(existsSync(machine.directory));
});

test.serial('an aborted boot leaves nothing behind and rejects with the reason', async (t) => {
  const abort = new AbortController();
  const booting = RigMachine.boot(standardMachine, { signal: abort.signal });
  abort.abort(new Error('changed my mind'));
  await t.throwsAsync(booting, { message: 'changed my mind' });
});
