import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parse } from '@nodecore/config';
import { type Json, Store } from '@nodecore/state';
import { Supervisor } from '@nodecore/supervisor';
import { temporaryDirectory } from '@nodecore/testkit';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { imagePaths } from '../src/image/paths.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { services } from '../src/services/feature.ts';
import { serviceLogs } from '../src/services/log-feature.ts';
import { mountStatuses } from '../src/volumes/definitions.ts';

const partition = `apiVersion: v1alpha1
kind: VolumeConfig
name: LOG
provisioning: {maxSize: 4GB}
`;
const other = `apiVersion: v1alpha1
kind: VolumeConfig
name: EPHEMERAL
provisioning: {maxSize: 4GB}
`;

/** The feature on a machine of the node's own, with one service that has printed a line. */
async function machine(t: ExecutionContext) {
  const directory = await temporaryDirectory(t);
  const supervisor = await Supervisor.open({ directory: join(directory, 'run'), tethered: true });
  t.teardown(() => supervisor[Symbol.asyncDispose]());
  await mkdir(join(directory, 'run', 'a'));
  await writeFile(join(directory, 'run', 'a', `log.${'0'.repeat(20)}`), 'one\n');
  supervisor.claim('a');
  const clock = new FakeClock();
  const store = new Store({ clock });
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => warnings.push(line) });
  const context = { options: { image: imagePaths }, log, store, clock };
  const life = serviceLogs.make((needed) => (needed === services ? { supervisor } : context));
  const [varDirectory, logDirectory] = [join(directory, 'var'), join(directory, 'log')];
  const mounted = (ids: Readonly<Record<string, string>>): void => {
    const statuses = Object.entries(ids).map(([id, target]): [string, Json] => [
      id,
      { phase: 'mounted', target },
    ]);
    store.replace(kindOf(mountStatuses), new Map(statuses), 'test');
  };
  const become = async (document: string): Promise<void> => {
    using configuration = parse(document);
    await life.prepare?.({ configuration, previous: [] });
  };
  const close = async (): Promise<void> => await life.close?.({ unmount: true });
  return { life, mounted, become, close, varDirectory, logDirectory, supervisor, warnings, clock };
}

async function filesBelow(directory: string): Promise<readonly string[]> {
  return await readdir(directory, { recursive: true }).catch(() => []);
}

test('logs go to EPHEMERAL when it is mounted, and at the end of the agent at the latest', async (t) => {
  const { close, become, mounted, varDirectory } = await machine(t);
  mounted({ EPHEMERAL: varDirectory });
  await close(); // nobody knows yet where logs belong
  t.deepEqual(await filesBelow(varDirectory), []);
  await become(other);
  mounted({});
  await close();
  t.deepEqual(await filesBelow(varDirectory), []);
  mounted({ EPHEMERAL: varDirectory });
  await close();
  t.regex((await filesBelow(varDirectory)).join(), /log\/os\/a\/00000001-[\w-]+\/log\.0{20}/u);
});

test('while the agent runs what was printed is on the disk within a second', async (t) => {
  const { life, become, mounted, varDirectory, clock } = await machine(t);
  await become(other);
  const stopping = new AbortController();
  const running = life.run?.(stopping.signal);
  mounted({ EPHEMERAL: varDirectory });
  clock.advance(1000);
  while (!(await filesBelow(varDirectory)).some((name) => name.includes('/log.'))) clock.advance(1000);
  stopping.abort();
  await running;
  t.pass();
});

test('a partition for logs is waited for, and nothing is left in the directory that it hides', async (t) => {
  const { close, become, mounted, varDirectory, logDirectory, supervisor } = await machine(t);
  await become(other);
  mounted({ EPHEMERAL: varDirectory });
  await close();
  t.true((await filesBelow(varDirectory)).length > 0);
  await become(partition);
  t.deepEqual(await filesBelow(join(varDirectory, 'log')), []);
  await close();
  t.deepEqual(await filesBelow(join(varDirectory, 'log')), [], 'not where the partition is not mounted yet');
  mounted({ EPHEMERAL: varDirectory, LOG: logDirectory });
  await close();
  t.regex((await filesBelow(logDirectory)).join(), /os\/a\/00000001-[\w-]+\/log\.0{20}/u);
  t.is(await supervisor.get('a').log.lastLine(), 'one');
});

test('what can not be written is told once, and tried again', async (t) => {
  const { close, become, mounted, varDirectory, warnings } = await machine(t);
  await become(other);
  await writeFile(varDirectory, 'a file');
  mounted({ EPHEMERAL: varDirectory });
  await close();
  await close();
  t.is(warnings.length, 1);
  t.like(JSON.parse(warnings[0] ?? ''), { services: [{ id: 'a', code: 'ENOTDIR' }] });
});
