/**
 * Runs in a virtual node: a job that wants more memory than there is, one that does not, and an agent with a pressure
 * policy. Prints what happened as a `Recording`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Client, decodeSpec } from '@nodecore/api';
import { findHierarchy, parsePressure } from '@nodecore/cgroup';
import { systemClock } from '@nodecore/waiting';

import { startAgent } from '../agent.ts';
import type { Moment, Recording, Sample } from './recording.ts';

const mib = 2 ** 20;
const limit = 24 * mib;
const everyMs = 100;
/** Before the hog begins, and after it was thawed. */
const calmMs = 3000;
/** A machine that takes longer for all of it shows nothing worth a picture. */
const longestMs = 90_000;

const document = `apiVersion: v1alpha1
kind: OOMConfig
trigger: {resource: memory, kind: some, stall: 150ms, window: 1s, cgroup: /jobs}
cgroups: [{match: /jobs/*, class: Besteffort}]
action: freeze
release: {after: 3s}
`;

/** A shell command in a cgroup, begun when its input says so. */
function begin(directory: string, command: string): ChildProcess {
  const line = `echo $$ > ${directory}/cgroup.procs; ${command}`;
  return spawn('/bin/sh', ['-c', line], { stdio: 'ignore' });
}

type Decision = {
  readonly time: string;
  readonly outcome: string;
  readonly victim?: { readonly path: string };
  readonly released?: { readonly time: string; readonly reason: string };
};

async function decisionsOf(reader: Client): Promise<readonly Decision[]> {
  const decisions: Decision[] = [];
  for await (const { resources } of reader.list({ type: 'PressureDecisions.runtime.nodecore.dev' }))
    decisions.push(...resources.map(({ spec }) => decodeSpec(spec) as Decision));
  return decisions;
}

function momentsOf(decisions: readonly Decision[], startMs: number): Moment[] {
  return decisions.flatMap(({ time, victim, released }) => [
    { ms: Date.parse(time) - startMs, what: `freeze ${victim?.path ?? ''}` },
    ...(released === undefined
      ? []
      : [{ ms: Date.parse(released.time) - startMs, what: `thaw (${released.reason})` }]),
  ]);
}

async function sample(jobs: string, startedMs: number): Promise<Sample> {
  const text = async (file: string): Promise<string> => await readFile(join(jobs, file), 'utf8');
  const [hog, bystander, pressure, events] = await Promise.all(
    ['hog/memory.current', 'bystander/memory.current', 'memory.pressure', 'hog/cgroup.events'].map(text),
  );
  return {
    ms: Math.round(performance.now() - startedMs),
    hog: Number(hog),
    bystander: Number(bystander),
    stallUs: Number(parsePressure(pressure ?? '').some?.totalUs ?? 0n),
    frozen: events?.includes('frozen 1') ?? false,
  };
}

await using stack = new AsyncDisposableStack();
const { directory: root } = await findHierarchy();
const jobs = join(root, 'jobs');
const groups = { hog: join(jobs, 'hog'), bystander: join(jobs, 'bystander') };
await writeFile(join(root, 'cgroup.subtree_control'), '+memory');
await mkdir(jobs);
stack.defer(() => rmdir(jobs));
await writeFile(join(jobs, 'cgroup.subtree_control'), '+memory');
await writeFile(join(jobs, 'memory.high'), String(limit));
for (const directory of Object.values(groups)) {
  await mkdir(directory);
  stack.defer(async () => {
    await writeFile(join(directory, 'cgroup.kill'), '1');
    while ((await readFile(join(directory, 'cgroup.events'), 'utf8')).includes('populated 1'))
      await systemClock.sleep(10);
    await rmdir(directory);
  });
}
const state = await mkdtemp(join(tmpdir(), 'pressure-scene-'));
stack.defer(() => rm(state, { recursive: true, force: true }));
const { reader } = await startAgent(stack, state, { documents: document });

begin(groups.bystander, 'head -c 3M /dev/zero | tail | sleep 1000');
while (Number(await readFile(join(groups.bystander, 'memory.current'), 'utf8')) < 3 * mib)
  await systemClock.sleep(everyMs);
const startedMs = performance.now();
const startMs = Date.now();
const samples: Sample[] = [];
const moments: Moment[] = [];
let thawedMs: number | undefined;
for (let ms = 0; ms < longestMs && ms < (thawedMs ?? longestMs) + calmMs;) {
  const before = samples.at(-1);
  const now = await sample(jobs, startedMs);
  ms = now.ms;
  samples.push(now);
  if (before?.frozen === true && !now.frozen) thawedMs ??= ms;
  if (moments.length === 0 && ms > calmMs) {
    moments.push({ ms, what: 'the hog begins' });
    begin(groups.hog, 'head -c 48M /dev/zero | tail | sleep 1000');
  }
  await systemClock.sleep(everyMs);
}
const recording: Recording = {
  machine: `virtual node, Linux ${release()}`,
  date: new Date().toISOString().slice(0, 10),
  document,
  limit,
  samples,
  moments: [...moments, ...momentsOf(await decisionsOf(reader), startMs)],
};
process.stdout.write(`${JSON.stringify(recording)}\n`);
