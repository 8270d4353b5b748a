import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Client, connect, decodeSpec } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { findHierarchy } from '@nodecore/cgroup';
import type { ExecutionContext } from 'ava';

import type { AgentProcess } from './agent-process.ts';
import { type Authority, rootDocument } from './documents.ts';

/** A cgroup that goes away after the test, with its processes. */
export async function controlGroup(t: ExecutionContext, above: string, name: string): Promise<string> {
  const path = join(above, name);
  await mkdir(path);
  t.teardown(async () => {
    await writeFile(join(path, 'cgroup.kill'), '1'); // what a shell started outlives it
    while (readFileSync(join(path, 'cgroup.events'), 'utf8').includes('populated 1'))
      await new Promise(setImmediate);
    await rmdir(path);
  });
  return path;
}

/** Cgroups below one of the test, by name. */
export async function controlGroups(t: ExecutionContext, names: readonly string[]): Promise<string> {
  const { directory } = await findHierarchy();
  const name = `nodecore-test-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  const above = await controlGroup(t, directory, name);
  for (const each of names) await controlGroup(t, above, each);
  return above;
}

/** Runs a shell command in a cgroup until the test ends. */
export async function within(t: ExecutionContext, directory: string, command: string): Promise<ChildProcess> {
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

export function frozen(directory: string): boolean {
  return readFileSync(join(directory, 'cgroup.events'), 'utf8').includes('frozen 1');
}

export type Spec = Readonly<Record<string, any>>;

/** Waits until a resource is as wanted. */
export async function until(client: Client, type: string, wanted: (spec: Spec) => boolean): Promise<Spec> {
  for await (const { events } of client.watch({ type }, { signal: AbortSignal.timeout(60_000) })) {
    for (const { resource } of events) {
      if (resource === undefined) continue;
      const spec = decodeSpec(resource.spec) as Spec;
      if (wanted(spec)) return spec;
    }
  }
  throw new Error('the watch ended');
}

/** A configuration with one policy. */
export function policyDocument(ca: Authority, fields: string): string {
  return `${rootDocument(ca)}---\napiVersion: v1alpha1\nkind: OOMConfig\n${fields}\n`;
}

/** Gives an agent its first configuration. @returns a reader. */
export async function configure(
  t: ExecutionContext,
  agent: AgentProcess,
  { directory, ca, text }: { readonly directory: string; readonly ca: Authority; readonly text: string },
): Promise<Client> {
  const fingerprints = [(await readFile(join(directory, 'run/maintenance-fingerprint'), 'utf8')).trim()];
  using anybody = connect({ endpoint: agent.endpoint, insecure: true, fingerprints });
  await anybody.applyConfiguration({ data: Buffer.from(text) });
  return await clientOf(t, agent, ca, 'os:reader');
}

export async function clientOf(
  t: ExecutionContext,
  agent: AgentProcess,
  ca: Authority,
  role: string,
): Promise<Client> {
  const { crt, key } = await pki.issueClient(ca, { roles: [role] });
  const client = connect({ endpoint: agent.endpoint, ca: ca.crt, crt, key });
  t.teardown(() => client.close());
  return client;
}
