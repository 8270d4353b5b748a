import { builtin } from '@nodecore/sys/pure';

import { type AuthorityContext, readAuthority } from './authority.ts';
import { type Place } from './place.ts';
import { readDuration } from './duration.ts';
import { type Kvstore, type KvstoreDefragmentation, type KvstoreSnapshots, type Subnet } from './types.ts';

const net = builtin('node:net');

/** What the node itself says to etcd; a second value would contradict what it publishes, or open the member. */
const ownArguments: ReadonlySet<string> = new Set([
  'name',
  'data-dir',
  'wal-dir',
  'config-file',
  'listen-client-urls',
  'listen-client-http-urls',
  'listen-peer-urls',
  'listen-metrics-urls',
  'advertise-client-urls',
  'initial-advertise-peer-urls',
  'initial-cluster',
  'initial-cluster-state',
  'initial-cluster-token',
  'force-new-cluster',
  'client-cert-auth',
  'client-cert-file',
  'client-key-file',
  'cert-file',
  'key-file',
  'trusted-ca-file',
  'auto-tls',
  'peer-client-cert-auth',
  'peer-client-cert-file',
  'peer-client-key-file',
  'peer-cert-file',
  'peer-key-file',
  'peer-trusted-ca-file',
  'peer-auto-tls',
  'tls-min-version',
  'enable-grpc-gateway',
  'experimental-initial-corrupt-check',
  'experimental-compact-hash-check-enabled',
  'logger',
  'log-format',
  'log-outputs',
  'discovery',
  'discovery-srv',
  'enable-v2',
  'proxy',
]);

const shortestIntervalMs = 60_000;
/** Each of them stalls the member, or costs what a recovery costs. */
const shortestPauseMs = 3_600_000;
/** A week of one every six hours. */
const usuallyKept = 28;
const maxKept = 1_000;

/** Reads `cluster.kvstore`. */
export function readKvstore(block: Place | undefined, context: AuthorityContext): Kvstore | undefined {
  if (block === undefined) return undefined;
  const ca = readAuthority(block.get('ca'), context);
  const program = block.get('program')?.text();
  if (program !== undefined && !program.startsWith('/'))
    block.get('program')?.problem('kvstore.program', 'must be an absolute path, such as /usr/bin/etcd');
  const volume = block.get('volume')?.text();
  const endpoints = texts(block.get('endpoints'), (item, text) => {
    if (!isEndpoint(text))
      item.problem('kvstore.endpoint', 'must be the client URL of a member, such as https://10.0.0.2:2379');
    return text;
  });
  const advertisedSubnets = readAdvertised(block);
  const listenSubnets = texts(block.get('listenSubnets'), readSubnet);
  const extraArgs = readArguments(block.get('extraArgs'));
  const snapshots = readSnapshots(block.get('snapshots'));
  const defragmentation = readDefragmentation(block.get('defragmentation'));
  if (ca === undefined) return undefined;
  return {
    ca,
    ...(program === undefined ? {} : { program }),
    ...(volume === undefined ? {} : { volume }),
    endpoints,
    advertisedSubnets,
    listenSubnets,
    extraArgs,
    ...(snapshots === undefined ? {} : { snapshots }),
    ...(defragmentation === undefined ? {} : { defragmentation }),
  };
}

/** `subnet` is the older field, for one. */
function readAdvertised(block: Place): readonly Subnet[] {
  const [subnet, subnets] = [block.get('subnet'), block.get('advertisedSubnets')];
  const old = subnet?.text();
  if (subnet === undefined || old === undefined) return texts(subnets, readSubnet);
  subnet.warning('kvstore.subnet_old', 'is an older field: advertisedSubnets takes its place');
  if (subnets !== undefined)
    subnet.problem('kvstore.subnet', 'is said by advertisedSubnets, too: remove this one');
  const read = old === '' ? undefined : readSubnet(subnet, old);
  return read === undefined ? [] : [read];
}

function readSnapshots(block: Place | undefined): KvstoreSnapshots | undefined {
  const intervalMs = readInterval(block, shortestIntervalMs, '1m');
  const keep = block?.get('keep')?.integer() ?? usuallyKept;
  if (keep < 1 || keep > maxKept) block?.get('keep')?.problem('kvstore.keep', `must be 1 to ${maxKept}`);
  const volume = block?.get('volume')?.text();
  const rehearse = block?.get('rehearse');
  const rehearseMs = readDuration(rehearse);
  if (rehearseMs !== undefined && rehearseMs < shortestPauseMs)
    rehearse?.problem('kvstore.interval', 'must be at least 1h');
  if (block === undefined || intervalMs === undefined) return undefined;
  return {
    intervalMs,
    keep,
    ...(volume === undefined ? {} : { volume }),
    ...(rehearseMs === undefined ? {} : { rehearseMs }),
  };
}

function readDefragmentation(block: Place | undefined): KvstoreDefragmentation | undefined {
  const intervalMs = readInterval(block, shortestPauseMs, '1h');
  return intervalMs === undefined ? undefined : { intervalMs };
}

function readInterval(block: Place | undefined, minMs: number, least: string): number | undefined {
  const interval = block?.get('interval');
  const intervalMs = readDuration(interval);
  if (intervalMs !== undefined && intervalMs < minMs)
    interval?.problem('kvstore.interval', `must be at least ${least}`);
  return intervalMs;
}

function texts<T>(list: Place | undefined, read: (item: Place, text: string) => T | undefined): T[] {
  return (list?.items() ?? []).flatMap((item) => {
    const text = item.text();
    return text === undefined ? [] : (read(item, text) ?? []);
  });
}

function isEndpoint(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' && url.pathname === '/' && url.search === '' && url.username === '';
}

function readSubnet(item: Place, text: string): Subnet | undefined {
  const [, exclusion, address = '', digits] = /^(!?)([^/]+)\/(\d{1,3})$/u.exec(text) ?? [];
  const version = net().isIP(address);
  const prefix = Number(digits);
  if (version === 0 || prefix > (version === 4 ? 32 : 128)) {
    item.problem('kvstore.subnet', 'must be a subnet, such as 10.0.0.0/8, or !10.0.0.0/8 to exclude it');
    return undefined;
  }
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6', excluded: exclusion === '!' };
}

function readArguments(block: Place | undefined): ReadonlyMap<string, string> {
  const read = new Map<string, string>();
  for (const name of block?.fields() ?? []) {
    const field = block?.get(name);
    const value = field?.text();
    if (field === undefined || value === undefined) continue;
    if (ownArguments.has(name)) field.problem('kvstore.argument', `${name} is set by the node itself`);
    else if (!/^[a-z][a-z0-9-]*$/u.test(name) || value.includes('\0'))
      field.problem('kvstore.argument', 'must be a flag of etcd without its dashes, such as max-txn-ops');
    else read.set(name, value);
  }
  return read;
}
