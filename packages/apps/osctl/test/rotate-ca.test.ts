import { createPrivateKey } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ApplyMode } from '@nodecore/api/machine';
import { connect, Osconfig } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import test, { type ExecutionContext } from 'ava';
import { parse, parseAllDocuments } from 'yaml';

import { clientLoop, type Cluster, rotatingCluster } from './rotating-cluster.ts';

const now = ['--dry-run=false', '--timeout', '60s'];
const nodeNames = ['a', 'b', 'w'] as const;

type Root = {
  readonly machine: {
    readonly type: string;
    readonly ca: { readonly crt: string; readonly key?: string };
    readonly acceptedCAs?: readonly { readonly crt: string }[];
  };
};

function rootOf(text: string): Root {
  return parseAllDocuments(text)[0]?.toJS() as Root;
}

const indented = (pem: string): string => pem.trim().replaceAll(/^/gmu, '    ');
const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString();

/** The one authority that all nodes have, which accept no other. */
async function onlyAuthority(t: ExecutionContext, cluster: Cluster): Promise<string> {
  const roots = await Promise.all(nodeNames.map(async (name) => rootOf(await cluster.configuration(name))));
  for (const { machine } of roots) {
    t.is(machine.acceptedCAs, undefined);
    t.is(roots[0]?.machine.ca.crt, machine.ca.crt);
    t.is(machine.ca.key === undefined, machine.type === 'worker');
    if (machine.ca.key !== undefined) {
      const certificate = pki.readCertificate(decoded(machine.ca.crt));
      t.true(certificate.checkPrivateKey(createPrivateKey(decoded(machine.ca.key))));
    }
  }
  return decoded(roots[0]?.machine.ca.crt ?? '');
}

/** Whether each node lets in who has this certificate. */
async function letsIn(cluster: Cluster, authority: string, { crt, key }: pki.Identity): Promise<boolean[]> {
  return await Promise.all(
    cluster.endpoints.map(async (endpoint) => {
      await using client = connect({ endpoint, ca: authority, crt, key });
      return await client.version().then(
        () => true,
        () => false,
      );
    }),
  );
}

test('without --dry-run=false the plan is shown, and nothing changes', async (t) => {
  const cluster = await rotatingCluster(t);
  const before = await cluster.everything();
  const { code, out, error } = await cluster.run(['-o', 'json']);
  t.is(code, 0, error);
  const rows = JSON.parse(out) as readonly {
    readonly step: string;
    readonly type: string;
    readonly state: string;
  }[];
  t.deepEqual(
    rows.map(({ step, type }) => `${step} ${type}`),
    ['accept', 'issue', 'drop'].flatMap((step) =>
      ['controlplane', 'controlplane', 'worker', 'client'].map((type) => `${step} ${type}`),
    ),
  );
  t.true(rows.every(({ state }) => state === 'planned'));
  const table = await cluster.run([]);
  t.regex(table.out, /^STEP +NODE +TYPE +AUTHORITY +STATE +CHANGE\n/u);
  t.deepEqual(await cluster.everything(), before);
});

test('the authority is replaced while clients go on, and the former certificate is refused at the end', async (t) => {
  const cluster = await rotatingCluster(t);
  await using loop = clientLoop(cluster);
  const { code, out, error } = await cluster.run(now);
  t.is(code, 0, error);
  t.false(out.includes('planned'));
  await loop.turn();
  t.deepEqual(loop.failures, []);
  t.true(loop.calls > 10, String(loop.calls));
  const authority = await onlyAuthority(t, cluster);
  t.not(authority, cluster.ca.crt);
  t.deepEqual(await letsIn(cluster, authority, cluster.admin), [false, false, false]);
  const text = await cluster.configuration('a');
  t.true(text.includes('# stays'), 'comments and secrets of the configuration stay');
  t.true(text.includes('abcdef.0123456789abcdef'));
  const kept = Osconfig.parse(await readFile(cluster.path), cluster.path).context('test');
  t.is(kept.ca, authority);
  const { subject } = pki.readCertificate(kept.crt ?? '');
  t.true(subject.includes('CN=ada') && subject.includes('O=os:admin'), subject);
  t.is((await stat(cluster.file)).mode & 0o777, 0o600);
  const { os } = parse(await readFile(cluster.file, 'utf8')) as {
    readonly os: { readonly next: { readonly crt: string } };
  };
  t.is(os.next.crt, authority);
  for (const said of [out, error]) t.false(said.includes('PRIVATE') || said.includes('CERTIFICATE'));
  const again = await cluster.run(now);
  t.is(again.code, 0, again.error);
  t.true(
    again.out
      .split('\n')
      .slice(1, -1)
      .every((line) => /before|client/u.test(line)),
    again.out,
  );
});

test('cut off anywhere, the next run goes on, and whoever uses the client config then is let in by every node', async (t) => {
  // Before a node gets a change, and after it has made it and before it says so.
  for (const kind of ['before', 'after'] as const) {
    let cut: (() => void) | undefined;
    const cluster = await rotatingCluster(t, {
      activated: async () => (kind === 'after' ? cut?.() : undefined),
    });
    let code = 130;
    let runs = 0;
    for (; code === 130 && runs < 30; runs += 1) {
      const abort = new AbortController();
      let changes = 0;
      // The first change of this run goes through: each run is one step further.
      cut = () => ++changes > (kind === 'after' ? 0 : 1) && abort.abort();
      const outcome = await cluster.run(now, {
        signal: abort.signal,
        onError: (text) => {
          if (kind === 'before' && /authority (?:no more )?\(os\)\n$/u.test(text)) cut?.();
        },
      });
      ({ code } = outcome);
      t.true(code === 0 || code === 130, outcome.error);
      const asked = await cluster.osctl([
        'get',
        'rd',
        '-n',
        cluster.endpoints.join(),
        '-o',
        'jsonpath=.node',
      ]);
      t.false(/certificate|handshake/u.test(asked.error), asked.error);
    }
    cut = undefined;
    t.is(code, 0);
    t.true(runs > 3, `${runs} runs`);
    const authority = await onlyAuthority(t, cluster);
    t.deepEqual(await letsIn(cluster, authority, cluster.admin), [false, false, false]);
  }
});

test('a node that is not there, and one that can not rotate, are named before anything changes', async (t) => {
  const cluster = await rotatingCluster(t);
  const before = await cluster.everything();
  const [a = '', b = '', w = ''] = cluster.endpoints;
  const refused = async (args: readonly string[], why: RegExp): Promise<void> => {
    const { code, error } = await cluster.run([...now, ...args]);
    t.not(code, 0);
    t.regex(error, why);
    t.deepEqual(await cluster.everything(), before, error);
  };
  await refused(['-n', `${a},${b},${w},127.0.0.1:1`], /127\.0\.0\.1:1: .*refused.*\n.*1 of 4 nodes failed/u);
  await refused(['-n', `${a},127.0.0.1:1`], /nothing was changed/u);
  await refused(['-n', w], /none of the nodes is a control plane/u);
  await refused(['--control-plane-nodes', `${a},${w}`], /it is a worker, and was named as the other/u);
  await refused(['--worker-nodes', `${a},${w}`], /it is a control plane, and was named as the other/u);
  await refused(['--undo'], /no rotation has begun/u);
  await refused(['--os=false', '--orch=false'], /nothing to rotate/u);
  await refused(['--rotation-file', '/nonexistent/x.yaml'], /\/nonexistent\/x\.yaml/u);
  await refused(['--cluster', 'blue'], /leads to a proxy or a fleet/u);
  const staged = `${await cluster.configuration('b')}\ndebug: true\n`;
  await using client = connect({ endpoint: b, ca: cluster.ca.crt, ...cluster.admin });
  await client.applyConfiguration({ data: Buffer.from(staged), mode: ApplyMode.STAGED });
  const { error } = await cluster.run(now);
  t.regex(error, /a configuration waits for its next boot/u);
  t.is(rootOf(await cluster.configuration('a')).machine.acceptedCAs, undefined);
});

test('a node that goes after it has taken the new authority keeps the former from being dropped', async (t) => {
  const cluster = await rotatingCluster(t);
  const { a, w } = cluster.nodes;
  let closed: Promise<void> | undefined;
  const { code, error } = await cluster.run(['--dry-run=false', '--timeout', '2s'], {
    onError: (text) => {
      if (text.includes(`${w.endpoint}: takes the new authority`)) closed ??= a.server.close();
    },
  });
  await closed;
  t.is(code, 7, error);
  t.regex(error, new RegExp(`${a.endpoint}: waited too long until it shows a certificate`, 'u'));
  t.regex(error, /nothing is lost: run it again to go on, or with --undo to go back/u);
  for (const name of nodeNames) t.truthy(rootOf(await cluster.configuration(name)).machine.acceptedCAs, name);
});

test('a file that is none, or of another context, is refused without a word of it', async (t) => {
  const cluster = await rotatingCluster(t);
  for (const [text, why] of [
    ['secret: [', /is no file of osctl rotate-ca/u],
    ['context: test\nos: {former: {crt: secret}}', /is no file of osctl rotate-ca/u],
    ['context: other', /is of context "other"/u],
  ] as const) {
    await writeFile(cluster.file, text);
    const { code, error } = await cluster.run(now);
    t.is(code, 1);
    t.regex(error, why);
    t.false(error.includes('secret'));
  }
});

test('after the first step nothing is needed to go back, also where answers of nodes are lost', async (t) => {
  const cluster = await rotatingCluster(t, { drainMs: 1 });
  const before = await cluster.everything();
  t.is((await cluster.run([...now, '--until', 'accept'])).code, 0);
  t.truthy(rootOf(await cluster.configuration('w')).machine.acceptedCAs);
  const { code, error } = await cluster.run([...now, '--undo']);
  t.is(code, 0, error);
  t.deepEqual(rootOf(await cluster.configuration('a')), rootOf(before.configurations[0] ?? ''));
  t.is(await onlyAuthority(t, cluster), cluster.ca.crt);
  await t.throwsAsync(stat(cluster.file), { code: 'ENOENT' });
  t.deepEqual(await letsIn(cluster, cluster.ca.crt, cluster.admin), [true, true, true]);
  t.is((await cluster.osctl(['version', '-n', cluster.endpoints.join()])).code, 0);
});

test('once nodes issue with the new authority, the way back needs the key of the former', async (t) => {
  const cluster = await rotatingCluster(t);
  const secrets = await cluster.secrets();
  t.is((await cluster.run([...now, '--until', 'issue'])).code, 0);
  const before = await cluster.everything();
  const without = await cluster.run([...now, '--undo']);
  t.is(without.code, 1);
  t.regex(without.error, /need the key of the former authority: --with-secrets/u);
  t.deepEqual(await cluster.everything(), before);
  await using loop = clientLoop(cluster);
  const { code, error } = await cluster.run([...now, '--undo', '--with-secrets', secrets]);
  t.is(code, 0, error);
  await loop.turn();
  t.deepEqual(loop.failures, []);
  t.is(await onlyAuthority(t, cluster), cluster.ca.crt);
  t.deepEqual(await letsIn(cluster, cluster.ca.crt, cluster.admin), [true, true, true]);
});

test('the secrets of the cluster get the new authority, and the file of the rotation goes', async (t) => {
  const cluster = await rotatingCluster(t);
  const secrets = await cluster.secrets();
  const { code, error } = await cluster.run([...now, '--with-secrets', secrets]);
  t.is(code, 0, error);
  const text = await readFile(secrets, 'utf8');
  const { certs } = parse(text) as {
    readonly certs: { readonly os: { readonly crt: string } };
  };
  t.is(decoded(certs.os.crt), await onlyAuthority(t, cluster));
  t.is((await stat(secrets)).mode & 0o777, 0o600);
  await t.throwsAsync(stat(cluster.file), { code: 'ENOENT' });
  const other = await cluster.secrets(await pki.createCA('other'), join(cluster.directory, 'other.yaml'));
  const refused = await cluster.run([...now, '--with-secrets', other]);
  t.is(refused.code, 2);
  t.regex(refused.error, /certs\.os is not the authority that the nodes have/u);
});

test('a rotation that goes on takes no secrets of another cluster, and those of its own also when they are new', async (t) => {
  const cluster = await rotatingCluster(t);
  const secrets = await cluster.secrets();
  const other = await cluster.secrets(await pki.createCA('other'), join(cluster.directory, 'other.yaml'));
  t.is((await cluster.run([...now, '--until', 'issue'])).code, 0);
  const [before, others] = [await cluster.everything(), await readFile(other)];
  for (const more of [[], ['--until', 'issue'], ['--undo']]) {
    const { code, error } = await cluster.run([...now, ...more, '--with-secrets', other]);
    t.is(code, 2);
    t.regex(error, /other\.yaml: certs\.os is not the authority that the nodes have/u);
    t.deepEqual(await cluster.everything(), before);
    t.true(others.equals(await readFile(other)));
  }
  const rotation = await readFile(cluster.file);
  const first = await cluster.run([...now, '--with-secrets', secrets]);
  t.is(first.code, 0, first.error);
  await t.throwsAsync(stat(cluster.file), { code: 'ENOENT' });
  const written = await readFile(secrets, 'utf8');
  const { certs } = parse(written) as { readonly certs: { readonly os: { readonly crt: string } } };
  t.is(decoded(certs.os.crt), await onlyAuthority(t, cluster));
  // As if the run had been cut off after it has written the secrets.
  await writeFile(cluster.file, rotation, { mode: 0o600 });
  const again = await cluster.run([...now, '--with-secrets', secrets]);
  t.is(again.code, 0, again.error);
  t.is(await readFile(secrets, 'utf8'), written);
  await t.throwsAsync(stat(cluster.file), { code: 'ENOENT' });
});

test('workers whose configuration an older version has written make all steps, and get no key', async (t) => {
  const older = await pki.createWebAuthority('kubernetes');
  const cluster = await rotatingCluster(t, { older });
  const [a = '', b = '', w = ''] = cluster.endpoints;
  const { code, error } = await cluster.run([
    ...now,
    '--control-plane-nodes',
    `${a},${b}`,
    '--worker-nodes',
    w,
  ]);
  t.is(code, 0, error);
  type Older = Root & { readonly cluster: { readonly ca: { readonly crt: string; readonly key?: string } } };
  const [plane, worker] = (
    await Promise.all((['a', 'w'] as const).map((name) => cluster.configuration(name)))
  ).map((text) => rootOf(text) as Older);
  t.not(decoded(plane!.cluster.ca.crt), older.crt);
  t.true(decoded(plane!.cluster.ca.key!).includes('PRIVATE KEY'));
  t.is(worker!.machine.type, 'join');
  t.deepEqual(
    [worker!.machine.ca, worker!.cluster.ca],
    [{ crt: plane!.machine.ca.crt }, { crt: plane!.cluster.ca.crt }],
  );
});

test('the file of a rotation stays as long as it has the only key of an authority', async (t) => {
  const orch = await pki.createWebAuthority('kubernetes');
  const document = '---\napiVersion: v1alpha1\nkind: OrchAPIServerCAConfig\nissuingCA:\n';
  const key = indented(orch.key.bytes.toString());
  const cluster = await rotatingCluster(t, {
    planes: `${document}  cert: |\n${indented(orch.crt)}\n  key: |\n${key}\n`,
  });
  t.is((await cluster.run([...now, '--until', 'accept'])).code, 0);
  const { code, error } = await cluster.run([...now, '--undo', '--orch=false']);
  t.is(code, 0, error);
  t.regex(error, /has the other authority \(orch\): keep it/u);
  t.is((await cluster.run([...now, '--undo'])).code, 0);
  await t.throwsAsync(stat(cluster.file), { code: 'ENOENT' });
});

test('another authority that nodes accept stays', async (t) => {
  const other = await pki.createCA('fleet');
  const cluster = await rotatingCluster(t, { accepted: other });
  t.is((await cluster.run(now)).code, 0);
  for (const name of nodeNames) {
    const { machine } = rootOf(await cluster.configuration(name));
    t.deepEqual(
      machine.acceptedCAs?.map(({ crt }) => decoded(crt)),
      [other.crt],
    );
  }
});

test("the authority of the orchestrator is replaced in nodes' documents, with and without that of the node API", async (t) => {
  const orch = await pki.createWebAuthority('kubernetes');
  const head = '---\napiVersion: v1alpha1\nkind: OrchAPIServerCAConfig\n';
  const cluster = await rotatingCluster(t, {
    planes: `${head}issuingCA:\n  cert: |\n${indented(orch.crt)}\n  key: |\n${indented(orch.key.bytes.toString())}\n`,
    workers: `${head}acceptedCAs:\n  - |\n${indented(orch.crt)}\n`,
  });
  type Document = {
    readonly issuingCA?: { readonly cert: string };
    readonly acceptedCAs?: readonly string[];
  };
  const documentOf = async (name: 'a' | 'b' | 'w'): Promise<Document> =>
    parseAllDocuments(await cluster.configuration(name))[1]?.toJS() as Document;
  const first = await cluster.run([...now, '--os=false', '--until', 'issue']);
  t.is(first.code, 0, first.error);
  const between = await documentOf('a');
  t.not(between.issuingCA?.cert.trim(), orch.crt.trim());
  t.deepEqual(
    between.acceptedCAs?.map((crt) => crt.trim()),
    [orch.crt.trim()],
  );
  t.is(
    rootOf(await cluster.configuration('a')).machine.ca.crt,
    Buffer.from(cluster.ca.crt).toString('base64'),
  );
  const none = await cluster.run([...now, '--orch=false']);
  t.is(none.code, 2);
  t.regex(none.error, /no such authority: nothing to rotate/u);
  const last = await cluster.run([...now, '--os=false']);
  t.is(last.code, 0, last.error);
  const [a, b, w] = [await documentOf('a'), await documentOf('b'), await documentOf('w')];
  t.is(a.issuingCA?.cert, b.issuingCA?.cert);
  t.is(a.acceptedCAs, undefined);
  t.deepEqual(
    w.acceptedCAs?.map((crt) => crt.trim()),
    [a.issuingCA?.cert.trim()],
  );
});

test('volumes whose keys are at a key server hold the new authority back until that one takes it', async (t) => {
  const cluster = await rotatingCluster(t, {
    workers: [
      '---\napiVersion: v1alpha1\nkind: UserVolumeConfig\nname: data\nprovisioning:\n  diskSelector: {match: disk.size > 0u}',
      '  minSize: 100MiB\nencryption:\n  provider: luks2\n  keys:\n    - {slot: 0, kms: {endpoint: "https://keys.example:4050"}}\n',
    ].join('\n'),
  });
  const { code, error } = await cluster.run(now);
  t.is(code, 2);
  t.regex(error, /have keys at https:\/\/keys\.example:4050/u);
  t.is((await cluster.run([])).code, 0);
  t.is((await cluster.run([...now, '--until', 'accept'])).code, 0);
  t.is((await cluster.run(now)).code, 2);
  const ready = await cluster.run([...now, '--key-servers-ready']);
  t.is(ready.code, 0, ready.error);
});
