import { definitionType } from '@nodecore/api';
import { EventType } from '@nodecore/api/resource';
import test from 'ava';
import { parse } from 'yaml';

import { clientConfig, osctl } from './command-line.ts';
import { disk, resource, serverFingerprint, startFakeNode } from './fake-node.ts';

const type = 'Disks.block.nodecore.dev';

test('a table has the node first, upper-case headers and the columns of the type', async (t) => {
  const node = await startFakeNode(t);
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const { code, out, error } = await osctl(['get', 'disk', '-n', '127.0.0.1'], { env });
  t.is(error, '');
  t.deepEqual(out.split('\n'), [
    'NODE        NAMESPACE   TYPE   ID        VERSION   SIZE    MODEL',
    '127.0.0.1   runtime     Disk   nvme0n1   1         54 GB   QEMU NVMe',
    '',
  ]);
  t.is(code, 0);
});

test('json is one array for a list and one object for an id, and big numbers keep their digits', async (t) => {
  const specs = { [type]: { a: { size: 9007199254740993n }, b: { size: 1 } } };
  const node = await startFakeNode(t, { specs });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const list = await osctl(['get', 'disks', '-o', 'json'], { env });
  t.true(list.out.includes('"size": 9007199254740993'));
  t.like(JSON.parse(list.out), {
    0: { node: node.endpoint, metadata: { id: 'a' } },
    1: { spec: { size: 1 } },
    length: 2,
  });
  const one = await osctl(['get', 'disks', 'b', '-o', 'json'], { env });
  t.like(JSON.parse(one.out), { metadata: { id: 'b', version: 1, phase: 'running' }, spec: { size: 1 } });
  const none = await osctl(['get', 'systemdisks', '-o', 'json'], { env });
  t.is(none.out, '[]\n');
});

test('annotations are shown where a resource has some, in each form that has all of it', async (t) => {
  const note = 'two words \u001b[2J';
  const node = await startFakeNode(t, {
    specs: { [type]: { a: { size: 1 }, b: { size: 2 } } },
    annotations: { a: { 'example.org/note': note, rack: '7' } },
  });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const annotations = { 'example.org/note': note, rack: '7' };
  const json = await osctl(['get', 'disks', '-o', 'json'], { env });
  const [a, b] = JSON.parse(json.out) as { metadata: Record<string, unknown> }[];
  t.deepEqual(a?.metadata['annotations'], annotations);
  t.false(Object.hasOwn(b!.metadata, 'annotations'));
  const yaml = await osctl(['get', 'disks', 'a', '-o', 'yaml'], { env });
  t.deepEqual((parse(yaml.out) as { metadata: object }).metadata, a?.metadata);
  const described = await osctl(['describe', 'disks', 'a'], { env });
  t.regex(described.out, /^Annotations: +example\.org\/note=two words \?\[2J, rack=7$/mu);
  t.false((await osctl(['describe', 'disks', 'b'], { env })).out.includes('Annotations'));
});

test('a name of an earlier version answers with the same rows, and one line says what it is now', async (t) => {
  const modules = {
    type: 'KernelModuleStatuses.runtime.nodecore.dev',
    displayType: 'KernelModuleStatus',
    aliases: ['modules'],
    formerNames: ['loadedkernelmodules'],
    defaultNamespace: 'runtime',
    printColumns: [{ name: 'Type', jsonPath: '$.type' }],
    sensitive: false,
    description: '',
  };
  const node = await startFakeNode(t, {
    specs: {
      [definitionType]: { [modules.type.toLowerCase()]: modules },
      [modules.type]: { zram: { type: 'module' }, ext4: { type: 'builtin' } },
    },
  });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const now = await osctl(['get', 'modules', '-n', '127.0.0.1'], { env });
  const former = await osctl(['get', 'LoadedKernelModules', '-n', '127.0.0.1'], { env });
  t.true(now.out.includes('zram') && now.out.includes('ext4'));
  t.is(former.out, now.out);
  t.is(now.error, '');
  t.is(former.error, 'osctl: loadedkernelmodules is deprecated: the same rows are in kernelmodulestatuses\n');
});

test('yaml is one document per resource', async (t) => {
  const node = await startFakeNode(t, { specs: { [type]: { a: { text: 'one\ntwo\n' }, b: {} } } });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const { out } = await osctl(['get', 'disks', '-o', 'yaml'], { env });
  const [first, second] = out.split('---\n');
  t.true(first?.startsWith(`node: ${node.endpoint}\nmetadata:\n  namespace: runtime\n`));
  t.true(first?.includes('  text: |\n    one\n    two\n'));
  t.true(second?.includes('  id: b\n'));
});

for (const expression of ['$.spec.model', '.spec.model', '{.spec.model}', 'spec.model', '{$.spec["model"]}'])
  test(`jsonpath ${expression} prints the bare text`, async (t) => {
    const node = await startFakeNode(t);
    const env = await clientConfig(t, { endpoints: [node.endpoint] });
    const { code, out } = await osctl(['get', 'disks', '-o', `jsonpath=${expression}`], { env });
    t.is(out, `${disk.model}\n`);
    t.is(code, 0);
  });

test('an output format or jsonpath that makes no sense is a usage error before a node is asked', async (t) => {
  for (const format of ['xml', 'jsonpath', 'jsonpath=', 'jsonpath=$.[', 'jsonpath={range .x}']) {
    const { code, error } = await osctl(['get', 'disks', '-o', format, '-i', '-n', '127.0.0.1:1']);
    t.is(code, 2, format);
    t.is(error.split('\n').length, 2, error);
  }
});

test('get rd lists the types', async (t) => {
  const node = await startFakeNode(t);
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const { out } = await osctl(['get', 'rd', '-o', 'jsonpath=.metadata.id'], { env });
  t.true(out.startsWith('discoveredvolumes.block.nodecore.dev\ndisks.block.nodecore.dev\n'));
  t.true(out.includes('resourcedefinitions.meta.nodecore.dev\n'));
});

test('an unknown type and an unknown id are not found, an ambiguous type is a usage error', async (t) => {
  const node = await startFakeNode(t);
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const unknown = await osctl(['get', 'dusks'], { env });
  t.is(unknown.code, 3);
  t.true(unknown.error.includes('"dusks"') && unknown.error.includes('osctl get rd'));
  t.is((await osctl(['get', 'disks', 'sda'], { env })).code, 3);
  const ambiguous = await osctl(['get', 'mounts'], { env });
  t.is(ambiguous.code, 2);
  t.true(ambiguous.error.includes('mounts.block.nodecore.dev, mounts.kernel.nodecore.dev'));
});

test('several nodes are asked, those that answer are printed and the rest makes the result partial', async (t) => {
  const [a, b] = [await startFakeNode(t), await startFakeNode(t)];
  const nodes = [a.endpoint, b.endpoint, '127.0.0.1:1'];
  const env = await clientConfig(t, { endpoints: nodes, nodes });
  const { code, out, error } = await osctl(['get', 'disks', '-o', 'jsonpath=$.node'], { env });
  t.is(out, `${a.endpoint}\n${b.endpoint}\n`);
  t.is(code, 6);
  t.true(error.includes('127.0.0.1:1') && error.includes('1 of 3 nodes failed'));
  t.is((await osctl(['get', 'disks', '-n', '127.0.0.1:1,127.0.0.1:2', '-i'])).code, 5);
});

test('a watch prints what exists, then changes, and goes on after a lost connection', async (t) => {
  const node = await startFakeNode(t);
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const abort = new AbortController();
  const steps = [
    () =>
      node.send({
        type: EventType.UPDATED,
        resource: resource(type, 'nvme0n1', disk, { version: 2n }),
        bookmark: { epoch: 'e', revision: 2n },
      }),
    () =>
      node.interrupt({
        type: EventType.DESTROYED,
        resource: resource(type, 'nvme0n1', disk, { version: 3n }),
      }),
    () => abort.abort(),
  ];
  let lines = 1; // the header
  const onOutput = (out: string): void => {
    if (out.split('\n').length - 2 < lines) return;
    lines += 1;
    steps.shift()?.();
  };
  const { code, out, error } = await osctl(['get', 'disks', '-w'], { env, signal: abort.signal, onOutput });
  t.is(code, 130);
  t.regex(error, /connecting again/);
  t.deepEqual(
    out
      .split('\n')
      .slice(0, 4)
      .map((line) => line.replaceAll(/ {2,}/g, ' ').replace(node.endpoint, 'NODE')),
    [
      'NODE * NAMESPACE TYPE ID VERSION SIZE MODEL',
      'NODE + runtime Disk nvme0n1 1 54 GB QEMU NVMe',
      'NODE runtime Disk nvme0n1 2 54 GB QEMU NVMe',
      'NODE - runtime Disk nvme0n1 3 54 GB QEMU NVMe',
    ],
  );
});

function changed(version: bigint, revision: bigint) {
  const found = resource(type, 'nvme0n1', disk, { version });
  return { type: EventType.UPDATED, resource: found, bookmark: { epoch: 'e', revision } };
}

test('several nodes are watched at once, below one header, and one that is lost does not hold back the other', async (t) => {
  const [a, b] = [await startFakeNode(t), await startFakeNode(t)];
  const env = await clientConfig(t, { endpoints: [a.endpoint, b.endpoint], nodes: [a.endpoint, b.endpoint] });
  const abort = new AbortController();
  const steps = [
    () => b.send(changed(2n, 2n)),
    () => a.interrupt(changed(3n, 3n)), // while nobody watched
    () => abort.abort(),
  ];
  let rows = 2; // what each of them has
  const onOutput = (out: string): void => {
    if (out.split('\n').length - 2 < rows) return;
    rows += 1;
    steps.shift()?.();
  };
  const { out, error } = await osctl(['get', 'disks', '-w'], { env, signal: abort.signal, onOutput });
  const [header, ...lines] = out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/u));
  t.is(header?.[0], 'NODE');
  const seen = lines.map(([node, mark]) => `${node === a.endpoint ? 'a' : 'b'}${mark === '+' ? '+' : ''}`);
  t.deepEqual(seen.slice(0, 2).toSorted(), ['a+', 'b+']);
  t.deepEqual(seen.slice(2), ['b', 'a']);
  t.true(error.includes('connecting again'), error);
});

test('of several nodes that are watched the one that is not there is told of at once, and the one that is lost goes on where it was', async (t) => {
  const [a, b] = [await startFakeNode(t), await startFakeNode(t)];
  const nodes = [a.endpoint, b.endpoint, '127.0.0.1:1'];
  const env = await clientConfig(t, { endpoints: nodes, nodes });
  const abort = new AbortController();
  const steps = [
    () => b.interrupt(changed(2n, 2n), changed(3n, 3n)), // while nobody watched
    () => {}, // the first of the two
    () => a.send(changed(2n, 2n)),
    () => abort.abort(),
  ];
  const printed = { out: '', error: '' };
  let rows = 2;
  const look = (): void => {
    if (!printed.error.includes('127.0.0.1:1: ')) return;
    while (printed.out.split('\n').length - 2 >= rows) {
      rows += 1;
      steps.shift()?.();
    }
  };
  const { code, out, error } = await osctl(['get', 'disks', '-w', '-n', nodes.join(',')], {
    env,
    signal: abort.signal,
    onOutput: (text) => ((printed.out = text), look()),
    onError: (text) => ((printed.error = text), look()),
  });
  const seen = out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/u))
    .slice(1);
  const of = (endpoint: string): (string | undefined)[] =>
    seen.filter(([node]) => node === endpoint).map((cells) => cells.find((cell) => /^\d+$/u.test(cell)));
  t.deepEqual(of(a.endpoint), ['1', '2']);
  t.deepEqual(of(b.endpoint), ['1', '2', '3'], 'nothing twice, and nothing missed');
  t.is(code, 130);
  const [first, second] = error.split('\n');
  t.regex(first ?? '', /^osctl: 127\.0\.0\.1:1: .*refused.*; the other nodes are watched on$/u);
  t.regex(second ?? '', new RegExp(`^osctl: ${b.endpoint}: .*; connecting again$`, 'u'));
});

test('without a client certificate a node in maintenance is read, if its fingerprint is right', async (t) => {
  const node = await startFakeNode(t, { maintenance: true });
  const insecure = ['get', 'disks', '-i', '-n', node.endpoint, '-o', 'jsonpath=$.metadata.id'];
  t.is((await osctl([...insecure, '--cert-fingerprint', serverFingerprint])).out, 'nvme0n1\n');
  const wrong = await osctl([...insecure, '--cert-fingerprint', Buffer.alloc(32).toString('base64')]);
  t.is(wrong.code, 5);
  t.true(wrong.error.includes(serverFingerprint));
  t.is((await osctl([...insecure, '--cert-fingerprint', 'nonsense'])).code, 2);
});

test('bytes of a node can not do anything to the terminal', async (t) => {
  const specs = { [type]: { ['a\u001B[2J']: { model: 'x\ny' } } };
  const node = await startFakeNode(t, { specs });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const { out } = await osctl(['get', 'disks'], { env });
  t.is(out.split('\n').length, 3);
  t.false(out.includes('\u001B'));
});

test('the type that a node gives for an earlier name can not do anything to the terminal', async (t) => {
  const things = {
    type: 'Th\u001B[2Jings\u009B.test.nodecore.dev',
    displayType: 'Thing',
    aliases: [],
    formerNames: ['oldthings'],
    defaultNamespace: 'runtime',
    printColumns: [],
    sensitive: false,
    description: '',
  };
  const node = await startFakeNode(t, {
    specs: { [definitionType]: { things }, [things.type]: { one: {} } },
  });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const { out, error } = await osctl(['get', 'oldthings'], { env });
  t.is(error, 'osctl: oldthings is deprecated: the same rows are in th?[2jings?\n');
  t.notRegex((out + error).replaceAll('\n', ''), /\p{Cc}/u);
});
