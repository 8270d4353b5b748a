import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Client, connect, decodeSpec, pki } from '@nodecore/api';
import { findHierarchy } from '@nodecore/cgroup';
import { root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { pressureDecisions, pressurePolicies } from '../src/resources/definitions.ts';
import { AgentProcess } from './agent-process.ts';
import { authority, rootDocument } from './documents.ts';

const test = testWith(root);
const ca = await authority();

/** Cgroups below one of the test, by name. They go away with the test, and their processes before. */
async function controlGroups(t: ExecutionContext, names: readonly string[]): Promise<string> {
  const { directory } = await findHierarchy();
  const name = `nodecore-test-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  const above = join(directory, name);
  await mkdir(above);
  for (const each of names) await mkdir(join(above, each));
  t.teardown(async () => {
    for (const each of names) {
      const path = join(above, each);
      await writeFile(join(path, 'cgroup.kill'), '1'); // what a shell started outlives it
      while (readFileSync(join(path, 'cgroup.events'), 'utf8').includes('populated 1'))
        await new Promise(setImmediate);
      await rmdir(path);
    }
    await rmdir(above);
  });
  return above;
}

/** Runs a shell command in a cgroup until the test ends. */
async function within(t: ExecutionContext, directory: string, command: string): Promise<ChildProcess> {
  const child = spawn('/bin/sh', ['-c', `read line; ${command}`], { stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await writeFile(join(directory, 'cgroup.procs'), String(child.pid));
  child.stdin?.end('go\n');
  return child;
}

function frozen(directory: string): boolean {
  return readFileSync(join(directory, 'cgroup.events'), 'utf8').includes('frozen 1');
}

type Spec = Readonly<Record<string, any>>;

/** Waits until a resource is as wanted. */
async function until(client: Client, type: string, wanted: (spec: Spec) => boolean): Promise<Spec> {
  for await (const { events } of client.watch({ type }, { signal: AbortSignal.timeout(60_000) })) {
    for (const { resource } of events) {
      if (resource === undefined) continue;
      const spec = decodeSpec(resource.spec) as Spec;
      if (wanted(spec)) return spec;
    }
  }
  throw new Error('the watch ended');
}

/** What waits for processors below the test's cgroup is frozen. */
function document(above: string, fields: string): string {
  const name = `/${above.split('/').at(-1)}`;
  return `${rootDocument(ca)}---
apiVersion: v1alpha1
kind: OOMConfig
name: processors
trigger: {resource: cpu, kind: some, stall: 100ms, window: 2s, cgroup: ${name}}
cgroupRankingExpression: 'cpu_some_avg10.orValue(0.0)'
cgroups: [{match: ${name}/*, class: Besteffort}]
${fields}
`;
}

async function configure(
  t: ExecutionContext,
  agent: AgentProcess,
  directory: string,
  text: string,
): Promise<Client> {
  const fingerprints = [(await readFile(join(directory, 'run/maintenance-fingerprint'), 'utf8')).trim()];
  using anybody = connect({ endpoint: agent.endpoint, insecure: true, fingerprints });
  await anybody.applyConfiguration({ data: Buffer.from(text) });
  return await client(t, agent, 'os:reader');
}

async function client(t: ExecutionContext, agent: AgentProcess, role: string): Promise<Client> {
  const { crt, key } = await pki.issueClient(ca, { roles: [role] });
  const made = connect({ endpoint: agent.endpoint, ca: ca.crt, crt, key });
  t.teardown(() => made.close());
  return made;
}

const spinning = 'for i in 1 2 3; do sh -c "while :; do :; done" & done; while :; do :; done';

test('exactly the cgroup that presses is frozen, an agent that was killed thaws it, and one that ends, too', async (t) => {
  t.timeout(120_000);
  const above = await controlGroups(t, ['hog', 'bystander']);
  const hog = join(above, 'hog');
  const bystander = await within(t, join(above, 'bystander'), 'sleep 1000');
  const directory = await temporaryDirectory(t);
  const agent = await AgentProcess.start(t, directory);
  const text = document(above, 'action: freeze\nrelease: {after: 1m}');
  const reader = await configure(t, agent, directory, text);
  t.like(await until(reader, pressurePolicies.type, ({ phase }) => phase === 'watching'), {
    resource: 'cpu',
    action: 'freeze',
    dryRun: false,
  });
  await within(t, hog, spinning);
  const decision = await until(reader, pressureDecisions.type, ({ outcome }) => outcome === 'done');
  t.is(decision['victim'].path, `/${above.split('/').at(-1)}/hog`);
  t.is(decision['victim'].processCount, 4);
  t.false(decision['trigger'].sampled);
  t.true(decision['trigger'].reading.some.totalUs >= 100_000);
  t.true(frozen(hog));
  t.false(frozen(join(above, 'bystander')));
  t.is(bystander.exitCode ?? bystander.signalCode, null);

  await agent.kill();
  t.true(frozen(hog), 'nobody thawed it');
  const next = await AgentProcess.start(t, directory);
  const again = await client(t, next, 'os:reader');
  const released = await until(again, pressureDecisions.type, (spec) => spec['released'] !== undefined);
  t.is(released['released'].reason, 'restart');
  t.is(released['time'], decision['time'], 'the decision outlived the agent');
  await until(again, pressurePolicies.type, ({ held }) => held.length === 1);
  t.true(frozen(hog), 'it presses again');
  t.is(await next.stop(), 0);
  t.false(frozen(hog), 'the agent leaves nobody frozen');
});

test('a policy that is taken out of the configuration, or told to try only, thaws what it froze', async (t) => {
  t.timeout(120_000);
  const above = await controlGroups(t, ['hog']);
  const hog = join(above, 'hog');
  const directory = await temporaryDirectory(t);
  const agent = await AgentProcess.start(t, directory);
  const reader = await configure(t, agent, directory, document(above, 'action: freeze'));
  await within(t, hog, spinning);
  await until(reader, pressurePolicies.type, ({ held }) => held.length === 1);
  t.true(frozen(hog));
  const admin = await client(t, agent, 'os:admin');
  const dry = document(above, 'action: kill\ndryRun: true');
  await admin.applyConfiguration({ data: Buffer.from(dry) });
  t.false(frozen(hog));
  const decision = await until(reader, pressureDecisions.type, ({ outcome }) => outcome === 'dryRun');
  t.like(decision, { action: 'kill', dryRun: true });
  t.true(readFileSync(join(hog, 'cgroup.events'), 'utf8').includes('populated 1'));
  t.is(await agent.stop(), 0, agent.lines.slice(-30).join('\n'));
});
