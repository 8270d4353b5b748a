import { deepStrictEqual } from 'node:assert';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { connect, Osconfig } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { connect as connectToKvstore, verifySnapshot } from '@nodecore/kvstore';
import { bundleClient } from '@nodecore/release';
import { etcdProgram } from '@nodecore/testkit/etcd';

import { type Authority, type BenchAgent, startAgent } from '../agent.ts';
import { fill as fillShape } from './shapes.ts';
import { cpuMs, costOfProgram, type Cost } from './usage.ts';

/** Of this checkout: osctl as one file has none of its own. */
const addon = fileURLToPath(new URL('../../../native/build/Release/nodecore.node', import.meta.url));

/** What a snapshot by way of a node cost, {@link Cost.cpuMs} being osctl's. */
export type NodeCost = Cost & {
  /** Processor time of the agent. */
  readonly agentMs: number;
  /** By how much the agent was larger than before it had passed on any, at most. */
  readonly agentGrowthMib: number;
};

type Program = [string, ...string[]];

/** A node with a member, and both ways to its database: etcdctl past the agent, and osctl through it. */
export class NodeScene {
  readonly #agent: BenchAgent;
  readonly #serverPid: number;
  /** Resident memory of the agent when the scene is set. */
  readonly #idleMib: number;
  readonly #programs: { readonly ours: Program; readonly theirs: Program };
  readonly #files: { readonly ours: string; readonly theirs: string };

  private constructor(agent: BenchAgent, directory: string, member: MemberAccess, osctl: OwnClient) {
    this.#agent = agent;
    this.#serverPid = onlyChild(onlyChild(agent.pid)); // between them is the keeper, which holds the service for the next agent
    this.#idleMib = residentMib(agent.pid);
    this.#files = { ours: join(directory, 'ours.db'), theirs: join(directory, 'theirs.db') };
    this.#programs = {
      ours: [
        process.execPath,
        osctl.program,
        'kvstore',
        'snapshot',
        this.#files.ours,
        '--osconfig',
        osctl.config,
      ],
      theirs: [
        etcdProgram('etcdctl'),
        `--endpoints=${member.endpoint}`,
        `--cacert=${member.ca}`,
        `--cert=${member.certificate}`,
        `--key=${member.key}`,
        'snapshot',
        'save',
        this.#files.theirs,
      ],
    };
  }

  static async make(stack: AsyncDisposableStack): Promise<NodeScene> {
    const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    // All of 127.0.0.0/8 is this machine (RFC 1122): the ports of a member are free on an address of its own.
    const address = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
    const authority = await pki.createCA('kvstore');
    const agent = await startAgent(stack, directory, { sections: sectionOf(authority, address) });
    await bootstrap(agent);
    const member = await writeAccess(authority, address, directory);
    await fill(authority, member.endpoint);
    const program = join(directory, 'osctl');
    await writeFile(program, await bundleClient());
    process.env['NODECORE_NATIVE'] ??= addon;
    return new NodeScene(agent, directory, member, {
      program,
      config: await writeOsconfig(agent, directory),
    });
  }

  /** What both save is the same database, and sound. */
  async checkSaves(): Promise<void> {
    await this.costOfOsctl();
    await this.costOfEtcdctl();
    deepStrictEqual(await contentOf(this.#files.ours), await contentOf(this.#files.theirs));
  }

  async costOfOsctl(): Promise<NodeCost> {
    await rm(this.#files.ours, { force: true }); // to replace one costs what it takes to free it
    const { pid } = this.#agent;
    const before = cpuMs(pid);
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, residentMib(pid));
    }, 20);
    try {
      const cost = await costOfProgram(this.#programs.ours, this.#serverPid);
      return { ...cost, agentMs: cpuMs(pid) - before, agentGrowthMib: Math.max(0, peak - this.#idleMib) };
    } finally {
      clearInterval(watch);
    }
  }

  async costOfEtcdctl(): Promise<Cost> {
    await rm(this.#files.theirs, { force: true });
    return costOfProgram(this.#programs.theirs, this.#serverPid);
  }
}

/** osctl as a release carries it, and whom it asks. */
type OwnClient = { readonly program: string; readonly config: string };

/** How to get to the member, past the agent. */
type MemberAccess = {
  readonly endpoint: string;
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
};

async function contentOf(file: string): Promise<object> {
  const { hash, revision, totalKeys, digest } = await verifySnapshot(file);
  return { hash, revision, totalKeys, digest };
}

function sectionOf({ crt, key }: Authority, address: string): string {
  return `cluster:
  kvstore:
    ca: {crt: ${Buffer.from(crt).toString('base64')}, key: ${key.bytes.toString('base64')}}
    program: ${etcdProgram('etcd')}
    advertisedSubnets: [${address}/32]
    listenSubnets: [${address}/32]
`;
}

async function bootstrap({ ca, endpoint }: BenchAgent): Promise<void> {
  const { crt, key } = await pki.issueClient(ca, { roles: ['os:admin'] });
  using client = connect({ endpoint, ca: ca.crt, crt, key });
  for await (const _step of client.kvstore.bootstrap({})) continue;
}

async function writeAccess(authority: Authority, address: string, directory: string): Promise<MemberAccess> {
  const { crt, key } = await pki.issueNamedClient(authority, { commonName: 'root' });
  const access = {
    endpoint: `https://${address}:2379`,
    ca: join(directory, 'member-ca.crt'),
    certificate: join(directory, 'member-client.crt'),
    key: join(directory, 'member-client.key'),
  };
  await writeFile(access.ca, authority.crt);
  await writeFile(access.certificate, crt);
  await writeFile(access.key, key.bytes, { mode: 0o600 });
  return access;
}

async function fill(authority: Authority, endpoint: string): Promise<void> {
  const { crt, key } = await pki.issueNamedClient(authority, { commonName: 'root' });
  const tls = { ca: authority.crt, certificate: crt, key };
  const kvstore = await connectToKvstore({ endpoints: [endpoint], tls, timeoutMs: 60_000 });
  try {
    await fillShape(kvstore, 'objects');
  } finally {
    kvstore.close();
  }
}

/** Of somebody who may take snapshots, and nothing else. @returns its path. */
async function writeOsconfig({ ca, endpoint }: BenchAgent, directory: string): Promise<string> {
  const path = join(directory, 'osconfig');
  const { crt, key } = await pki.issueClient(ca, { roles: ['os:kvstore:backup'] });
  const config = Osconfig.empty(path);
  config.set('bench', { endpoints: [endpoint], ca: ca.crt, crt, key });
  config.use('bench');
  await writeFile(path, config.encode(), { mode: 0o600 });
  return path;
}

/** The process that another one has begun: a thread of it is the parent. */
function onlyChild(pid: number): number {
  const [child, ...others] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  if (child === undefined || child === '' || others.length > 0)
    throw new Error(`process ${pid} has not one child`);
  return Number(child);
}

function residentMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
