import { readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { findHierarchy } from '@nodecore/cgroup';
import { parse, type PressurePolicy } from '@nodecore/config';
import { Runtime } from '@nodecore/runtime';
import { type Kind, memoryState, Store } from '@nodecore/state';
import { systemClock } from '@nodecore/waiting';
import { root, temporaryDirectory, testWith, virtualNode } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';

import { pressureController } from '../src/pressure/pressure-controller.ts';
import { PressurePolicies } from '../src/pressure/pressure.ts';
import { pressureDecisions, pressurePolicies } from '../src/pressure/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { controlGroup, controlGroups, frozen, type Spec, within } from './pressure-agent.ts';

const test = testWith(root, virtualNode);
const mib = 2 ** 20;

function read(directory: string, file: string): string {
  return readFileSync(join(directory, file), 'utf8').trim();
}

/** Wants twice of what there is, and keeps it. */
const hog = 'head -c 96M /dev/zero | tail | sleep 1000';
/** Has a little, and keeps it. */
const modest = 'x=$(head -c 4M /dev/zero | tr "\\0" x); while :; do sleep 1; done';

/** Waits until a resource is as wanted. */
async function until(store: Store, kind: Kind, wanted: (spec: Spec) => boolean): Promise<Spec> {
  const signal = AbortSignal.timeout(60_000);
  for await (const events of store.watch(kind, { signal })) {
    for (const event of events) {
      if (!('resource' in event) || event.type === 'destroyed') continue;
      if (wanted(event.resource.spec as Spec)) return event.resource.spec as Spec;
    }
  }
  throw new Error(
    `not as wanted: ${JSON.stringify(store.list(kind).resources, (_, value: unknown) => String(value))}`,
  );
}

/** The policies of a node, without the rest of it: an emulated processor takes long to start that. */
async function policiesOf(
  t: ExecutionContext,
): Promise<{ readonly policies: PressurePolicies; readonly store: Store }> {
  const directory = await temporaryDirectory(t);
  const store = new Store();
  const policies = new PressurePolicies({
    store,
    log: pino({ level: 'silent' }),
    clock: systemClock,
    runDirectory: directory,
    directory: async () => directory,
  });
  const stop = new AbortController();
  const runtime = new Runtime({ state: memoryState(store) });
  runtime.register(pressureController(policies));
  const running = runtime.run(stop.signal);
  t.teardown(async () => {
    stop.abort();
    await running;
    await policies.close();
  });
  return { policies, store };
}

function policyOf(fields: string): readonly PressurePolicy[] {
  using configuration = parse(`apiVersion: v1alpha1\nkind: OOMConfig\n${fields}\n`);
  return configuration.all('OOMConfig');
}

for (const action of ['freeze', 'memory.high', 'kill'] as const)
  test(`a memory hog fires the trigger of its cgroup, and exactly it gets ${action}`, async (t) => {
    t.timeout(120_000);
    await writeFile(join((await findHierarchy()).directory, 'cgroup.subtree_control'), '+memory');
    const jobs = await controlGroups(t, []);
    await writeFile(join(jobs, 'cgroup.subtree_control'), '+memory');
    await writeFile(join(jobs, 'memory.high'), String(48 * mib)); // as a node has no more than it has
    const victim = await controlGroup(t, jobs, 'hog');
    const others = [
      await controlGroup(t, jobs, 'modest'),
      await controlGroup(t, dirname(jobs), `outside-${action}`),
    ] as const;
    const name = `/${jobs.split('/').at(-1)}`;
    const { policies, store } = await policiesOf(t);
    await policies.configure(
      policyOf(`trigger: {resource: memory, kind: some, stall: 100ms, window: 1s, cgroup: ${name}}
cgroups: [{match: '${name}/*', class: Besteffort}, {match: /outside-*, class: Besteffort}]
action: ${action}
${action === 'kill' ? '' : 'release: {after: 2s}'}`),
    );
    await until(store, kindOf(pressurePolicies), ({ phase }) => phase === 'watching');
    const bystanders = [await within(t, others[0], modest), await within(t, others[1], 'sleep 1000')];
    const inode = statSync(victim, { bigint: true }).ino;
    await within(t, victim, hog);
    const decision = await until(
      store,
      kindOf(pressureDecisions),
      ({ outcome }) => outcome === 'done' || outcome === 'failed',
    );
    t.is(decision['outcome'], 'done', decision['errorMessage']);
    t.like(decision['victim'], { path: `${name}/hog`, class: 'Besteffort', inode: String(inode) });
    t.true(decision['victim'].score > 24 * mib, String(decision['victim'].score));
    t.true(decision['trigger'].reading.some.totalUs >= 100_000n);
    t.false(decision['trigger'].sampled);
    t.log(`acted within ${Math.round(decision['durationMs'])} ms`);
    if (action === 'kill') t.is(read(victim, 'cgroup.events'), 'populated 0\nfrozen 0');
    if (action === 'freeze') t.true(frozen(victim));
    if (action === 'memory.high') t.is(read(victim, 'memory.high'), decision['effect'].memoryHigh);
    for (const other of others) {
      t.is(read(other, 'cgroup.events'), 'populated 1\nfrozen 0');
      t.is(read(other, 'memory.high'), 'max');
    }
    for (const { exitCode, signalCode } of bystanders) t.is(exitCode ?? signalCode, null);
    if (action === 'freeze') {
      // Frozen, it presses no more.
      const released = await until(
        store,
        kindOf(pressureDecisions),
        (spec) => spec['released'] !== undefined,
      );
      t.is(released['released'].reason, 'calm');
    }
    await policies.close();
    t.false(frozen(victim));
    t.is(read(victim, 'memory.high'), 'max');
  });
