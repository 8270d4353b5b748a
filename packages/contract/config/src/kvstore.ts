import { builtin } from '@nodecore/sys/pure';

import { authority } from './authority.ts';
import { made } from './field/made.ts';
import { map } from './field/list.ts';
import { Mistake } from './field/mistake.ts';
import { object } from './field/object.ts';
import { anyText, items, textLike, wholeNumber } from './field/shape.ts';
import { optional, required, type Type } from './field/type.ts';
import { imageReference } from './type/image.ts';
import { period } from './type/period.ts';
import { type Kvstore, type Subnet } from './types.ts';

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

/** Each of them stalls the member, or costs what a recovery costs. */
const shortestPauseMs = 3_600_000;
/** A week of one every six hours. */
const usuallyKept = 28;
const maxKept = 1_000;

const pause = (): Type<number> => period(shortestPauseMs, 'kvstore.interval', 'must be at least 1h');

const program = made(anyText, (path) =>
  path.startsWith('/')
    ? path
    : new Mistake('kvstore.program', 'must be an absolute path, such as /usr/bin/etcd'),
);

const endpoint = made(anyText, (text) =>
  isEndpoint(text)
    ? text
    : new Mistake('kvstore.endpoint', 'must be the client URL of a member, such as https://10.0.0.2:2379'),
);

const subnet = made(anyText, (text) => subnetOf(text));

const olderSubnet = made(anyText, (text, at) => {
  at.warning('kvstore.subnet_old', 'is an older field: advertisedSubnets takes its place');
  return text === '' ? undefined : subnetOf(text);
});

const plainArguments = map(anyText, { most: Infinity });

/** Flags of etcd without their dashes. */
const extraArguments: Type<ReadonlyMap<string, string>> = {
  ...plainArguments,
  read: (at) => {
    const values = plainArguments.read(at);
    const before = at.reading.problems.count;
    for (const [name, place] of at.entries()) {
      const value = place.text();
      if (value === undefined) continue;
      if (ownArguments.has(name)) place.problem('kvstore.argument', `${name} is set by the node itself`);
      else if (!/^[a-z][a-z0-9-]*$/u.test(name) || value.includes('\0'))
        place.problem('kvstore.argument', 'must be a flag of etcd without its dashes, such as max-txn-ops');
    }
    return at.reading.problems.count === before ? values : undefined;
  },
};

const kept = made(wholeNumber, (count) =>
  count < 1 || count > maxKept ? new Mistake('kvstore.keep', `must be 1 to ${maxKept}`) : count,
);

/** `cluster.kvstore`. */
export function kvstoreBlock(): Type<Kvstore> {
  const volumeName = textLike('^[A-Za-z0-9-]{1,34}$');

  const snapshots = object({
    interval: required(
      'from one to the next, at least 1m (6h0m0s)',
      period(60_000, 'kvstore.interval', 'must be at least 1m'),
    ),
    keep: optional('so many, the newest (default: 28)', kept),
    volume: optional('name of the user volume that holds them (default: where the data is)', volumeName),
    rehearse: optional(
      'a copy of one is restored and started apart so often, at least 1h (24h0m0s; default: never)',
      pause(),
    ),
  });

  const block = object(
    {
      ca: required('issues the certificates of members and their clients', authority),
      program: optional('path of etcd 3.5 or newer (default: in the path)', program),
      volume: optional('name of the user volume that holds the data (default: EPHEMERAL)', volumeName),
      image: optional('its image, where it is run as a container', imageReference),
      subnet: optional('an older word for the only one of advertisedSubnets', olderSubnet),
      endpoints: optional('client URLs of members; a node without data joins them', items(endpoint)),
      advertisedSubnets: optional('10.0.0.0/8, or !10.1.0.0/16', items(subnet)),
      listenSubnets: optional('as advertisedSubnets; none: all', items(subnet)),
      extraArgs: optional('more flags of etcd, without their dashes', extraArguments),
      snapshots: optional('copies that the node takes of its own member', snapshots),
      defragmentation: optional(
        'how often its own member gives back what it does not use',
        object({ interval: required('from one to the next, at least 1h (24h0m0s)', pause()) }),
      ),
    },
    {
      check: (_value, at) => {
        if (at.get('subnet') !== undefined && at.get('advertisedSubnets') !== undefined)
          at.at('subnet').problem('kvstore.subnet', 'is said by advertisedSubnets, too: remove this one');
      },
    },
  );

  return made(block, (value) => {
    const { ca, program: path, volume, endpoints = [], subnet: old, advertisedSubnets, extraArgs } = value;
    const { snapshots: copies, defragmentation } = value;
    return {
      ca,
      ...(path === undefined ? {} : { program: path }),
      ...(volume === undefined ? {} : { volume }),
      endpoints,
      advertisedSubnets: advertisedSubnets ?? (old === undefined ? [] : [old]),
      listenSubnets: value.listenSubnets ?? [],
      extraArgs: extraArgs ?? new Map(),
      ...(copies === undefined
        ? {}
        : {
            snapshots: {
              intervalMs: copies.interval,
              keep: copies.keep ?? usuallyKept,
              ...(copies.volume === undefined ? {} : { volume: copies.volume }),
              ...(copies.rehearse === undefined ? {} : { rehearseMs: copies.rehearse }),
            },
          }),
      ...(defragmentation === undefined ? {} : { defragmentation: { intervalMs: defragmentation.interval } }),
    };
  });
}

function isEndpoint(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' && url.pathname === '/' && url.search === '' && url.username === '';
}

function subnetOf(text: string): Subnet | Mistake {
  const [, exclusion, address = '', digits] = /^(!?)([^/]+)\/(\d{1,3})$/u.exec(text) ?? [];
  const version = net().isIP(address);
  const prefix = Number(digits);
  if (version === 0 || prefix > (version === 4 ? 32 : 128))
    return new Mistake(
      'kvstore.subnet',
      'must be a subnet, such as 10.0.0.0/8, or !10.0.0.0/8 to exclude it',
    );
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6', excluded: exclusion === '!' };
}
