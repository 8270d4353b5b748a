import test from 'ava';

import { firstConfiguration, ownDocuments } from '../src/node/first-configuration.ts';

const controlplane = `version: v1alpha1
machine:
  type: controlplane
---
apiVersion: v1alpha1
kind: FilesystemTrimConfig
interval: 168h0m0s
`;
const volume = `apiVersion: v1alpha1
kind: RawVolumeConfig
name: scratch
provisioning:
  diskSelector:
    match: disk.transport == "nvme"
  minSize: 1GiB
`;
const trims = 'apiVersion: v1alpha1\nkind: FilesystemTrimConfig\ninterval: 1h0m0s\n';

test('a document of the user takes the place of the default of its kind', (t) => {
  const text = configurationOf(`${volume}---\n${trims}`);
  t.is(text.match(/kind: FilesystemTrimConfig/g)?.length, 1);
  t.regex(text, /interval: 1h0m0s/);
  t.regex(text, /name: scratch/);
  t.regex(text, /type: controlplane/);
});

test('a default stays when the user says nothing of it', (t) => {
  const text = configurationOf(volume);
  t.regex(text, /interval: 168h0m0s/);
  t.regex(text, /name: scratch/);
});

test('a byte order mark before a file is not in the middle of the configuration', (t) => {
  t.true(configurationOf(`\uFEFF${volume}`).endsWith(`\n---\n${volume}`));
});

test('a file that is no YAML reaches the node as it is', (t) => {
  t.true(configurationOf('kind: [').endsWith('\n---\nkind: ['));
});

test('of the configuration of a cluster a node for trying things takes the root and the trims', (t) => {
  const name = 'apiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n';
  t.is(ownDocuments(Buffer.from(`${controlplane}---\n${name}`)).toString(), controlplane);
});

function configurationOf(...documents: readonly string[]): string {
  return firstConfiguration(
    Buffer.from(controlplane),
    documents.map((text) => Buffer.from(text)),
  ).toString();
}
