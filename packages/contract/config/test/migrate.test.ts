import test from 'ava';
import { parseAllDocuments } from 'yaml';

import { ConfigError, migrate, parse } from '@nodecore/config';
import { replacedPath } from '../src/document.ts';
import { migrateBy } from '../src/migrate/migrate.ts';
import { type Move } from '../src/legacy/move.ts';
import { moves } from '../src/legacy/moves/all.ts';
import { itemsOf, mapping, sequence, textOfNode } from '../src/legacy/nodes.ts';
import { kinds } from '../src/kind/kinds.ts';
import { fieldsOf } from '../src/reference.ts';
import { caCertificate, caKey } from './fixtures/authority.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const id = base64('i'.repeat(32));
const secret = base64('s'.repeat(32));
const ca = `{crt: ${base64(caCertificate)}, key: ${base64(caKey)}}`;
const root = (cluster: string): string => `# the root
version: v1alpha1
machine:
  type: controlplane   # one of three
  ca: ${ca}
${cluster}`;
const whole = root(`# of the cluster
cluster:
  # tells clusters apart
  id: ${id}
  secret: ${secret} # keep it
  clusterName: home
  # where it is
  controlPlane:
    # by name
    endpoint: https://api.example:6443
  kvstore:
    ca: ${ca}
---
# the second
apiVersion: v1alpha1
kind: SysctlConfig
params: {a:   "1"}
`);

test('fields of the root go to their documents with their comments, and nothing else changes', (t) => {
  const { text, moved, left } = migrate(whole);
  t.deepEqual(moved, [
    { from: 'cluster.id', to: 'DiscoveryIdentityConfig.clusterID' },
    { from: 'cluster.secret', to: 'DiscoveryIdentityConfig.clusterSecret' },
    { from: 'cluster.clusterName', to: 'OrchClusterConfig.clusterName' },
    { from: 'cluster.controlPlane.endpoint', to: 'OrchClusterConfig.endpoint' },
  ]);
  t.deepEqual(left, []);
  t.true(
    text.endsWith(`# of the cluster
cluster:
  kvstore:
    ca: ${ca}
---
# the second
apiVersion: v1alpha1
kind: SysctlConfig
params: {a:   "1"}
---
apiVersion: v1alpha1
kind: DiscoveryIdentityConfig
# tells clusters apart
clusterID: ${id}
clusterSecret: ${secret} # keep it
---
apiVersion: v1alpha1
kind: OrchClusterConfig
clusterName: home
# where it is
# by name
endpoint: https://api.example:6443
`),
    text,
  );
  using before = parse(whole);
  using after = parse(text);
  t.is(after.get('OrchClusterConfig')?.endpoint.href, `${before.machine?.cluster.endpoint}/`);
  t.is(after.get('DiscoveryIdentityConfig')?.clusterID, before.machine?.cluster.id);
  t.is(after.machine?.cluster.id, undefined);
  t.is(migrate(text).text, text, 'what was migrated stays as it is');
});

test('a mapping that has nothing else any more goes, and its comments stay', (t) => {
  const { text } = migrate(
    root(
      `# all of it\ncluster: # here\n  clusterName: home\n  controlPlane: {endpoint: "https://a:6443"}\n  # the end\n`,
    ),
  );
  t.false(/^cluster:/mu.test(text), text);
  for (const comment of ['# all of it', '# here', '# the end', '# the root', '# one of three'])
    t.true(text.includes(comment), `${comment}\n${text}`);
});

test('what makes no valid document stays, with the reason', (t) => {
  const before = root(`cluster:\n  id: home\n  secret: ${secret}\n  clusterName: home\n`);
  const { text, moved, left } = migrate(before);
  t.is(text, before);
  t.deepEqual(moved, []);
  t.deepEqual(left, [
    { from: 'cluster.id', why: 'DiscoveryIdentityConfig clusterID must be 32 bytes in base64' },
    { from: 'cluster.secret', why: 'DiscoveryIdentityConfig clusterID must be 32 bytes in base64' },
    { from: 'cluster.clusterName', why: 'OrchClusterConfig endpoint required and missing' },
  ]);
});

test('a text that is not valid is refused with its places, and one without such fields is left alone', (t) => {
  t.throws(() => migrate('version: v1alpha1\nmachin: {}\n', { file: 'x.yaml' }), { instanceOf: ConfigError });
  const text = 'apiVersion: v1alpha1\nkind: ZswapConfig\nmaxPoolPercent:   1\n';
  t.is(migrate(text).text, text);
});

/** Where fields would go that have no document: to show what a move can say. */
const others: readonly Move[] = [
  {
    from: ['machine.certSANs'],
    into: ['StaticHostConfig'],
    parts: ({ at }) =>
      itemsOf(at('machine.certSANs')).map((name) => ({
        kind: 'StaticHostConfig',
        map: mapping(name, { name, hostnames: sequence(name, ['node.example']) }),
      })),
  },
  {
    from: ['cluster.clusterName'],
    into: ['HostnameConfig'],
    parts: ({ at }) => {
      const name = at('cluster.clusterName');
      return [{ kind: 'HostnameConfig', map: mapping(name, { hostname: textOfNode(name)?.toLowerCase() }) }];
    },
  },
];

test('a description can say how a value is written, and that each part has a document of its own', (t) => {
  const text = root('cluster: {clusterName: HOME}\n').replace(
    '  ca:',
    '  certSANs: [10.0.0.1, 10.0.0.2] # two\n  ca:',
  );
  const made = migrateBy(text, others);
  t.deepEqual(
    parseAllDocuments(made.text).map((document) => {
      const { kind, name, hostname } = document.toJS() as Record<string, unknown>;
      return [kind, name, hostname];
    }),
    [
      [undefined, undefined, undefined],
      ['StaticHostConfig', '10.0.0.1', undefined],
      ['StaticHostConfig', '10.0.0.2', undefined],
      ['HostnameConfig', undefined, 'home'],
    ],
  );
  t.true(made.text.includes('# two'), made.text);
});

test('a document that says something else already is not overwritten', (t) => {
  const host = '---\napiVersion: v1alpha1\nkind: HostnameConfig\nhostname: other\n';
  const before = `${root('cluster: {clusterName: home}\n')}${host}`;
  const { text, left } = migrateBy(before, others);
  t.is(text, before);
  t.deepEqual(left, [
    { from: 'cluster.clusterName', why: 'HostnameConfig has another hostname: decide which counts' },
  ]);
  const same = migrateBy(before.replace('other', 'home'), others).text;
  t.is(same.match(/hostname: home/gu)?.length, 1);
  t.false(same.includes('clusterName'));
});

test('a move that would lose or change something is not made', (t) => {
  // It says one thing of the root and another once it is moved.
  const losing: readonly Move[] = [
    {
      from: ['machine.certSANs'],
      into: ['StaticHostConfig'],
      parts: ({ at }) => [
        {
          kind: 'StaticHostConfig',
          map: mapping(undefined, {
            name: '10.0.0.1',
            hostnames: sequence(undefined, [at('cluster.clusterName') === undefined ? 'one' : 'two']),
          }),
        },
      ],
    },
    {
      from: ['cluster.clusterName'],
      into: ['HostnameConfig'],
      parts: ({ of }) => [
        {
          kind: 'HostnameConfig',
          map: mapping(undefined, {
            hostname: of('StaticHostConfig/10.0.0.1', 'name') === undefined ? 'a' : 'b',
          }),
        },
      ],
    },
  ];
  const text = root('cluster: {clusterName: home}\n').replace('  ca:', '  certSANs: [10.0.0.1] # one\n  ca:');
  t.throws(() => migrateBy(text, losing), { instanceOf: TypeError, message: /would not say the same/u });
});

test('every field of the root that a document replaces has a place there, and no other has', (t) => {
  const fields = new Set(fieldsOf('machine').map(({ path }) => path));
  for (const [kind, { options }] of kinds)
    for (const path of (options.replaces ?? []).map(replacedPath)) {
      t.true(fields.has(path), `${kind} replaces ${path}, which the root has not`);
      const hasMove = moves.some(
        ({ from, into }) =>
          into.includes(kind) && from.some((one) => one === path || one.startsWith(`${path}.`)),
      );
      t.true(hasMove, `${kind} replaces ${path}: where does it go?`);
    }
  for (const { from, into, places = {} } of moves) {
    for (const path of from) t.true(fields.has(path), `${path} is no field of the root`);
    for (const kind of into) t.true(kinds.has(kind), kind);
    for (const [path, place] of Object.entries(places)) {
      t.true(from.includes(path), path);
      t.true(
        fieldsOf(into[0] as 'machine').some((row) => row.path === place),
        `${into[0]}.${place}`,
      );
    }
  }
});
