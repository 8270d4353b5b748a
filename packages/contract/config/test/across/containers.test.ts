import test from 'ava';

import { caCertificate, caKey } from '../fixtures/authority.ts';
import { refused, unmark, warned } from '../fixtures/marked.ts';

function document(kind: string, fields: string): string {
  return `---\napiVersion: v1alpha1\nkind: ${kind}\n${fields}\n`;
}

const image = `image: registry.example/a@sha256:${'0'.repeat(64)}`;
const container = (name: string, more = ''): string =>
  document('ContainerConfig', `name: ${name}\n${image}${more}`);
const after = (name: string, others: string): string =>
  container(name, `\ndependsOn: {containers: [${others}]}`);
const mounting = (volume: string): string =>
  container('a', `\nmounts: [{userVolume: {name: ${volume}, destination: /data}}]`);
const external = document('ExistingVolumeConfig', 'name: data\ndiscovery: {volumeSelector: {match: "true"}}');

const service = document('DiscoveryServiceConfig', 'name: a\nendpoint: https://a');
const bytes = Buffer.alloc(32).toString('base64');
const identity = document('DiscoveryIdentityConfig', `clusterID: ${bytes}\nclusterSecret: ${bytes}`);
const mesh = (enabled: string): string => document('MeshConfig', `enabled: ${enabled}`);

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const root = `version: v1alpha1\nmachine: {type: controlplane, ca: {crt: ${base64(caCertificate)}, key: ${base64(caKey)}}}\n`;

const cases: readonly (readonly [text: string, ...codes: readonly string[]])[] = [
  [after('a', '§b'), 'container.unknown'],
  [after('a', '§b') + after('b', 'a'), 'container.circle', 'container.circle'],
  [after('a', '§b') + after('b', 'c') + after('c', 'a'), ...Array<string>(3).fill('container.circle')],
  [mounting('§data'), 'container.volume'],
  [mesh('§true'), 'mesh.discovery'],
  [service.replace('apiVersion', '§apiVersion'), 'discovery.identity'],
];

test('documents that need others are refused without them, at their place', (t) => {
  for (const [marked, ...codes] of cases) {
    const { text, line, column } = unmark(root + marked);
    const found = refused(text);
    t.deepEqual(
      found.map(({ code }) => code),
      codes,
      marked,
    );
    t.like(found[0], { line, column }, marked);
    if (codes[0] !== 'container.circle')
      t.true(
        warned(text.slice(root.length)).some(({ code }) => code === codes[0]),
        `of a partial configuration: ${marked}`,
      );
  }
});

test('documents that have what they need are taken', (t) => {
  for (const text of [
    after('a', 'b') + after('b', 'c') + container('c') + after('d', 'b, c'),
    mounting('data') + external,
    service + identity + mesh('true'),
    mesh('false'),
  ])
    t.deepEqual(refused(root + text), [], text);
});
