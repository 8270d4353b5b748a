import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ExecutionContext } from 'ava';

import { output } from './command.ts';
import { EtcdMember } from './etcd-member.ts';
import { createEtcdTls, tlsArguments, type EtcdTls } from './etcd-tls.ts';
import { etcdProgram } from './program.ts';

export { EtcdMember, type EtcdMemberOptions } from './etcd-member.ts';
export { etcdUser, type EtcdTls, type EtcdTlsFiles } from './etcd-tls.ts';
export { etcdProgram } from './program.ts';

export type EtcdOptions = {
  /** How many members; 1 unless given. */
  readonly members?: 1 | 3;
  /** Certificates on both sides of every connection; plaintext unless given. */
  readonly tls?: boolean;
  /** Arguments of every member, such as `--quota-backend-bytes=…`. */
  readonly arguments?: readonly string[];
  /** Written data survives a power cut. Slower, and of no use to tests that only kill processes. */
  readonly durable?: boolean;
};

/** Real etcd on loopback. Data and processes go away with the test. */
export class EtcdCluster {
  readonly members: EtcdMember[];
  readonly tls: EtcdTls | undefined;
  readonly #make: (name: string) => Promise<EtcdMember>;

  constructor(members: EtcdMember[], tls: EtcdTls | undefined, make: (name: string) => Promise<EtcdMember>) {
    this.members = members;
    this.tls = tls;
    this.#make = make;
  }

  /** Client URLs in the order of the members. */
  get endpoints(): string[] {
    return this.members.map(({ clientUrl }) => clientUrl);
  }

  /** For `--initial-cluster`. */
  get initialCluster(): string {
    return this.members.map(({ name, peerUrl }) => `${name}=${peerUrl}`).join(',');
  }

  /** Starts all that do not run, together: one alone would wait for the others. */
  async start(): Promise<void> {
    await Promise.all(
      this.members.filter(({ pid }) => pid === undefined).map((member) => member.start(this.initialCluster)),
    );
  }

  /** Another member that is part of this object only: add its peer URL to the cluster, then start it as `existing`. */
  async prepareMember(name: string): Promise<EtcdMember> {
    const member = await this.#make(name);
    this.members.push(member);
    return member;
  }

  /** What `etcdctl` prints. */
  etcdctl(...words: readonly string[]): Promise<string> {
    const files = this.tls?.files;
    const tls =
      files === undefined
        ? []
        : [`--cacert=${files.ca}`, `--cert=${files.certificate}`, `--key=${files.key}`];
    const running = this.members.filter(({ pid }) => pid !== undefined).map(({ clientUrl }) => clientUrl);
    return output([etcdProgram('etcdctl'), `--endpoints=${running.join(',')}`, ...tls, ...words]);
  }
}

/**
 * Starts etcd and resolves when it serves. Each cluster has a loopback address of its own, so that nobody else takes
 * its ports between finding and using them.
 */
export async function etcd(
  t: Pick<ExecutionContext, 'teardown'>,
  options: EtcdOptions = {},
): Promise<EtcdCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
  const address = ownAddress();
  const tls = options.tls === true ? await createEtcdTls(directory, address) : undefined;
  const scheme = tls === undefined ? 'http' : 'https';
  const common = [
    '--log-level=info',
    '--log-outputs=stderr',
    ...(tls === undefined ? [] : tlsArguments(directory)),
    ...(options.durable === true ? [] : ['--unsafe-no-fsync']),
    ...(options.arguments ?? []),
  ];
  const make = async (name: string): Promise<EtcdMember> => {
    const [client, peer] = await freePorts(address);
    return new EtcdMember({
      name,
      clientUrl: `${scheme}://${address}:${client}`,
      peerUrl: `${scheme}://${address}:${peer}`,
      dataDirectory: join(directory, name),
      arguments: common,
    });
  };
  const members: EtcdMember[] = [];
  for (let index = 1; index <= (options.members ?? 1); index += 1) members.push(await make(`m${index}`));
  const cluster = new EtcdCluster(members, tls, make);
  t.teardown(async () => {
    await Promise.all(cluster.members.map((member) => member.kill()));
    tls?.key[Symbol.dispose]();
    tls?.authority.key[Symbol.dispose]();
    await rm(directory, { recursive: true, force: true });
  });
  await cluster.start();
  return cluster;
}

/** All of 127.0.0.0/8 is this machine (RFC 1122); the first /16 is what others use. */
function ownAddress(): string {
  const bytes = [0, 0, 0].map(() => randomInt(1, 255));
  return `127.${bytes.join('.')}`;
}

const given = new Set<string>();

/** Two ports that were free together, and that nobody in this process was given. */
async function freePorts(address: string): Promise<[number, number]> {
  const servers = [createServer(), createServer()] as const;
  const ports = await Promise.all(
    servers.map(async (server) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      server.once('error', reject).listen({ host: address, port: 0 }, resolve);
      await promise;
      return (server.address() as AddressInfo).port;
    }),
  );
  for (const server of servers) {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    await promise;
  }
  // Another member may have been told of one and not be up yet: the kernel calls it free.
  if (ports.some((port) => given.has(`${address}:${port}`))) return await freePorts(address);
  for (const port of ports) given.add(`${address}:${port}`);
  return [ports[0]!, ports[1]!];
}
