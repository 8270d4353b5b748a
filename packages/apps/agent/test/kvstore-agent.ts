import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { connect, decodeSpec, Osconfig } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { connect as connectToKvstore, type Kvstore } from '@nodecore/kvstore';
import { etcdProgram, temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { osctl, type Outcome, type RunOptions } from '../../osctl/test/command-line.ts';
import { kvstoreMembers } from '../src/kvstore/kvstore-definitions.ts';
import type { AgentProcess } from './agent-process.ts';
import { type Authority, authority, rootDocument } from './documents.ts';

const ca: Authority = await authority();
export const kvstoreAuthority: Authority = await pki.createCA('kvstore');

/** A root document of a member on an address of its own. */
export function kvstoreDocument(address: string, more: readonly string[] = []): string {
  const { crt, key } = kvstoreAuthority;
  return [
    `${rootDocument(ca)}cluster:`,
    '  kvstore:',
    '    ca:',
    `      crt: ${Buffer.from(crt).toString('base64')}`,
    `      key: ${key.bytes.toString('base64')}`,
    `    program: ${etcdProgram('etcd')}`,
    `    advertisedSubnets: [${address}/32]`,
    `    listenSubnets: [${address}/32]`,
    ...more.map((line) => `    ${line}`),
    '',
  ].join('\n');
}

/** All of 127.0.0.0/8 is this machine (RFC 1122): tests that run at the same time don't share ports. */
export function ownAddress(): string {
  return `127.${[1, 2, 3].map(() => 1 + Math.floor(Math.random() * 254)).join('.')}`;
}

/** Brings the configuration to an agent that has none, as an operator would. */
export async function configure(agent: AgentProcess, directory: string, text: string): Promise<void> {
  const fingerprint = (await readFile(join(directory, 'run/maintenance-fingerprint'), 'utf8')).trim();
  const file = join(directory, 'config.yaml');
  await writeFile(file, text);
  const flags = ['-i', '-n', agent.endpoint, '--cert-fingerprint', fingerprint];
  const { code, error } = await osctl(['apply-config', '-f', file, ...flags]);
  if (code !== 0) throw new Error(error);
}

/** A connection to the member itself, past the agent. Ends with the test. */
export async function memberOf(t: ExecutionContext, address: string): Promise<Kvstore> {
  const { crt, key } = await pki.issueNamedClient(kvstoreAuthority, { commonName: 'root' });
  const tls = { ca: kvstoreAuthority.crt, certificate: crt, key };
  const kvstore = await connectToKvstore({ endpoints: [`https://${address}:2379`], tls });
  t.teardown(() => kvstore.close());
  return kvstore;
}

export type Osctl = (args: readonly string[], options?: RunOptions) => Promise<Outcome>;

/** osctl with a context for agents. */
export async function clientOf(
  t: ExecutionContext,
  agents: readonly AgentProcess[],
  role: string = 'os:admin',
): Promise<Osctl> {
  const path = join(await temporaryDirectory(t), 'osconfig');
  const { crt, key } = await pki.issueClient(ca, { roles: [role] });
  const config = Osconfig.empty(path);
  const endpoints = agents.map(({ endpoint }) => endpoint);
  config.set('test', { endpoints, nodes: endpoints, ca: ca.crt, crt, key });
  config.use('test');
  await writeFile(path, config.encode());
  return (args, options = {}) => osctl(args, { ...options, env: { OSCONFIG: path } });
}

export type MemberSpec = Readonly<Record<string, unknown>>;

/** Waits until the agent's member is as wanted. */
export async function untilMember(
  t: ExecutionContext,
  agent: AgentProcess,
  wanted: (member: MemberSpec) => boolean,
): Promise<MemberSpec> {
  const { crt, key } = await pki.issueClient(ca, { roles: ['os:reader'] });
  const client = connect({ endpoint: agent.endpoint, ca: ca.crt, crt, key });
  t.teardown(() => client.close());
  let last: MemberSpec = {};
  const signal = AbortSignal.timeout(90_000);
  try {
    for await (const { events } of client.watch({ type: kvstoreMembers.type }, { signal })) {
      for (const { resource } of events) {
        if (resource?.metadata === undefined) continue;
        last = decodeSpec(resource.spec) as MemberSpec;
        if (wanted(last)) return last;
      }
    }
  } catch (cause) {
    throw new Error(`not as wanted: ${JSON.stringify(last)}`, { cause });
  }
  throw new Error('the watch ended');
}
