import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import { parseAllDocuments } from 'yaml';

import { osctl } from './command-line.ts';

const deployment = `# of the shop
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop, namespace: sales}
spec:
  template:
    spec:
      initContainers:
        - name: first # begins
      containers:
        - name: a
          volumeMounts: [{name: data, mountPath: /data}]
        - name: b
      volumes:
        - name: data
`;
const others = `kind: ConfigMap
metadata: {name: untouched}
---
kind: CronJob
metadata: {name: backup}
spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: c}]}}}}}
`;

type Item = Readonly<Record<string, unknown>>;

function documentsOf(text: string): Item[] {
  return parseAllDocuments(text).map((document) => document.toJS() as Item);
}

async function inject(input: string, ...flags: readonly string[]) {
  return await osctl(['inject', 'serviceaccount', '-f', '-', ...flags], { input });
}

const mount = { name: 'nodecore-secrets', mountPath: '/var/run/secrets/nodecore', readOnly: true };

test('each workload gets an account with its roles, a volume, and a mount in all containers', async (t) => {
  const { code, out, error } = await inject(
    `${deployment}---\n${others}`,
    '-r',
    'os:reader,os:kvstore:backup',
  );
  t.is(code, 0, error);
  const [shop, map, cron, ...accounts] = documentsOf(out);
  t.like(shop, {
    spec: {
      template: {
        spec: {
          initContainers: [{ name: 'first', volumeMounts: [mount] }],
          containers: [
            { name: 'a', volumeMounts: [{ name: 'data', mountPath: '/data' }, mount] },
            { name: 'b', volumeMounts: [mount] },
          ],
          volumes: [
            { name: 'data' },
            { name: 'nodecore-secrets', secret: { secretName: 'shop-nodecore-secrets' } },
          ],
        },
      },
    },
  });
  t.deepEqual(map, { kind: 'ConfigMap', metadata: { name: 'untouched' } });
  t.is(cron?.['kind'], 'CronJob');
  const account = { apiVersion: 'nodecore.dev/v1alpha1', kind: 'ServiceAccount' };
  const spec = { roles: ['os:reader', 'os:kvstore:backup'] };
  t.deepEqual(accounts, [
    { ...account, metadata: { name: 'shop-nodecore-secrets', namespace: 'sales' }, spec },
    { ...account, metadata: { name: 'backup-nodecore-secrets' }, spec },
  ]);
  t.true(out.startsWith('# of the shop\n') && out.includes('# begins'), 'comments stay');
});

test('what was injected into is only given other roles', async (t) => {
  const once = await inject(deployment);
  t.true(once.out.includes('os:reader'));
  t.is((await inject(once.out)).out, once.out);
  const other = await inject(once.out, '-r', 'os:operator');
  t.is(other.out, once.out.replace('os:reader', 'os:operator'));
});

test('objects of a list are found', async (t) => {
  const list = `kind: List
items:
  - kind: Pod
    metadata: {name: one}
    spec: {containers: [{name: c}]}
  - kind: Pod
    metadata: {name: two}
    spec: {containers: [{name: d}]}
`;
  const { out } = await inject(list);
  const [first, ...accounts] = documentsOf(out);
  t.like(first, { items: { 0: { spec: { containers: { 0: { volumeMounts: [mount] } } } }, length: 2 } });
  t.is(accounts.length, 2);
});

test('what nothing can be injected into is refused with its line', async (t) => {
  for (const [text, line, words] of [
    ['kind: ConfigMap\n', 1, 'there is no workload'],
    ['', 1, 'there is no workload'],
    ['a: [1\n', 2, 'no well-formed YAML'],
    ['\nkind: Pod\nspec: {containers: [{name: a}]}\n', 2, 'metadata.name is missing'],
    ['kind: Pod\nmetadata: {name: a}\nspec:\n  containers: []\n', 4, 'Pod a has no containers'],
    ['kind: Pod\nmetadata: {name: a}\n', 1, 'spec is missing'],
    [
      'x: &x {containers: [{name: a}]}\nkind: Pod\nmetadata: {name: a}\nspec: *x\n',
      4,
      '*x is part of something else',
    ],
    ['kind: Pod\nmetadata: {name: a}\nspec: {containers: {a: 1}}\n', 3, 'containers is no list'],
    [
      'kind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n    - volumeMounts:\n        - {name: x, mountPath: /var/run/secrets/nodecore}\n',
      6,
      'is mounted already',
    ],
  ] as const) {
    const { code, out, error } = await inject(text);
    t.is(code, 1, text);
    t.is(out, '');
    t.true(error.includes(`<stdin>:${line}: `) && error.includes(words), `${text}: ${error}`);
  }
});

test('roles and files that are none are refused', async (t) => {
  t.is((await inject(deployment, '-r', 'os:root')).code, 2);
  t.is((await osctl(['inject', 'serviceaccount'])).code, 2);
  const file = join(await temporaryDirectory(t), 'a.yaml');
  t.not((await osctl(['inject', 'serviceaccount', '-f', file])).code, 0);
  await writeFile(file, deployment);
  t.is((await osctl(['inject', 'sa', '-f', file])).code, 0);
});
