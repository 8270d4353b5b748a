import test from 'ava';

import { parse } from '@nodecore/config';

import { caCertificate, caKey, otherKey } from './fixtures/authority.ts';
import { codesOf, userVolume } from './fixtures/problems.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const ca = `{crt: ${base64(caCertificate)}, key: ${base64(caKey)}}`;
const root = (kvstore: string): string =>
  `version: v1alpha1\nmachine: {type: controlplane, ca: ${ca}}\ncluster: {kvstore: ${kvstore}}\n`;

test('a member of the kvstore has an authority of its own, and says where its data is and who hears of it', (t) => {
  const text = root(
    `{ca: ${ca}, program: /opt/etcd, volume: data, endpoints: ["https://10.0.0.2:2379"], ` +
      `advertisedSubnets: [10.0.0.0/8, "!10.9.0.0/16"], listenSubnets: ["fd00::/8"], extraArgs: {max-txn-ops: "512"}}`,
  );
  using configuration = parse(`${text}---\n${userVolume('')}`);
  const kvstore = configuration.machine?.cluster.kvstore;
  t.is(kvstore?.ca.key.bytes.toString(), caKey);
  t.like(kvstore, { program: '/opt/etcd', volume: 'data', endpoints: ['https://10.0.0.2:2379'] });
  t.deepEqual(kvstore?.advertisedSubnets, [
    { address: '10.0.0.0', prefix: 8, family: 'ipv4', excluded: false },
    { address: '10.9.0.0', prefix: 16, family: 'ipv4', excluded: true },
  ]);
  t.deepEqual(kvstore?.listenSubnets, [{ address: 'fd00::', prefix: 8, family: 'ipv6', excluded: false }]);
  t.deepEqual([...(kvstore?.extraArgs ?? [])], [['max-txn-ops', '512']]);
});

test('the older field for the network of members is the one of advertisedSubnets', (t) => {
  using configuration = parse(root(`{ca: ${ca}, subnet: 10.0.0.0/8}`));
  t.deepEqual(configuration.machine?.cluster.kvstore?.advertisedSubnets, [
    { address: '10.0.0.0', prefix: 8, family: 'ipv4', excluded: false },
  ]);
  t.deepEqual(codesOf(root(`{ca: ${ca}, subnet: node}`)), ['kvstore.subnet']);
});

test('a kvstore that could not run is refused where it is written', (t) => {
  t.deepEqual(codesOf(root(`{ca: ${ca}}`)), []);
  t.deepEqual(codesOf(root('{}')), ['required']);
  t.deepEqual(codesOf(root(`{ca: {crt: ${base64(caCertificate)}, key: ${base64(otherKey)}}}`)), [
    'private_key.mismatch',
  ]);
  t.deepEqual(codesOf(root(`{ca: ${ca}, program: etcd}`)), ['kvstore.program']);
  t.deepEqual(codesOf(root(`{ca: ${ca}, volume: data}`)), ['kvstore.volume']);
  t.deepEqual(codesOf(root(`{ca: ${ca}, endpoints: ["http://10.0.0.2:2379"]}`)), ['kvstore.endpoint']);
  for (const subnet of ['10.0.0.0', '10.0.0.0/33', 'fd00::/129', 'node/8'])
    t.deepEqual(codesOf(root(`{ca: ${ca}, listenSubnets: ["${subnet}"]}`)), ['kvstore.subnet'], subnet);
});

test('what the node says to etcd itself can not be said again', (t) => {
  for (const name of ['data-dir', 'client-cert-auth', 'initial-cluster', 'listen-client-urls', '--name', 'X'])
    t.deepEqual(codesOf(root(`{ca: ${ca}, extraArgs: {${name}: "x"}}`)), ['kvstore.argument'], name);
  t.deepEqual(codesOf(root(`{ca: ${ca}, extraArgs: {max-txn-ops: 512}}`)), ['wrong_type']);
});

test('snapshots are taken as often as somebody says, and so many are kept', (t) => {
  using configuration = parse(snapshots('interval: 6h'));
  t.deepEqual(configuration.machine?.cluster.kvstore?.snapshots, { intervalMs: 21_600_000, keep: 28 });
  t.deepEqual(codesOf(snapshots('keep: 3')), ['required']);
  t.deepEqual(codesOf(snapshots('interval: 30s')), ['kvstore.interval']);
  t.deepEqual(codesOf(snapshots('interval: 1h, keep: 0')), ['kvstore.keep']);
  t.deepEqual(codesOf(snapshots('interval: 1h, volume: none')), ['kvstore.volume']);
  using rehearsed = parse(snapshots('interval: 6h, rehearse: 24h'));
  t.is(rehearsed.machine?.cluster.kvstore?.snapshots?.rehearseMs, 86_400_000);
  t.deepEqual(codesOf(snapshots('interval: 6h, rehearse: 30m')), ['kvstore.interval']);
});

test('a member is defragmented as often as somebody says, and not all the time', (t) => {
  using configuration = parse(defragmented('interval: 24h'));
  t.deepEqual(configuration.machine?.cluster.kvstore?.defragmentation, { intervalMs: 86_400_000 });
  t.deepEqual(codesOf(defragmented('interval: 30m')), ['kvstore.interval']);
  t.deepEqual(codesOf(defragmented('')), ['required']);
  t.deepEqual(codesOf(defragmented('interval: 24h, keep: 3')), ['unknown_field']);
});

function defragmented(fields: string): string {
  return root(`{ca: ${ca}, defragmentation: {${fields}}}`);
}

function snapshots(fields: string): string {
  return root(`{ca: ${ca}, snapshots: {${fields}}}`);
}
