import { parse as parseConfiguration, patchConfiguration } from '@nodecore/config';
import * as pki from '@nodecore/pki';
import test from 'ava';
import { parse } from 'yaml';

import { type AuthorityName, ConfiguredNode, type Operation } from '../src/rotate-ca/configured.ts';
import { isAhead, operationsOf, type Replacement, standingOf, steps } from '../src/rotate-ca/replacement.ts';

const [former, next, other] = await Promise.all(['a', 'b', 'c'].map((name) => pki.createCA(name)));
const base64 = (pem: string): string => Buffer.from(pem).toString('base64');
const indented = (pem: string): string => pem.trim().replaceAll(/^/gmu, '    ');
const key = next!.key.bytes.toString();
const replacement: Replacement = { name: 'orch', former: former!.crt, next: { crt: next!.crt, key } };

function changed(text: string, step: (typeof steps)[number], isControlPlane = true): string {
  const configured = new ConfiguredNode(text).authority('orch');
  if (configured === undefined) throw new Error('there is none');
  const operations = operationsOf(step, configured, replacement, isControlPlane);
  return patchConfiguration(text, [{ text: JSON.stringify(operations) }]);
}

test('the authority of the orchestrator in the root document makes the same steps', (t) => {
  let text = `version: v1alpha1\nmachine: {}\ncluster:\n  ca: {crt: ${base64(former!.crt)}, key: "******"}\n`;
  const cluster = (): unknown => (parse(text) as { readonly cluster: unknown }).cluster;
  text = changed(text, 'accept');
  t.like(cluster(), {
    ca: { crt: base64(former!.crt), key: '******' },
    acceptedCAs: [{ crt: base64(next!.crt) }],
  });
  text = changed(text, 'issue');
  t.deepEqual(cluster(), {
    ca: { crt: base64(next!.crt), key: base64(key) },
    acceptedCAs: [{ crt: base64(former!.crt) }],
  });
  text = changed(text, 'drop');
  t.deepEqual(cluster(), { ca: { crt: base64(next!.crt), key: base64(key) } });
});

test('of several certificates below one another the former alone is taken out', (t) => {
  const item = `${other!.crt}${former!.crt}`.replaceAll(/^/gmu, '    ');
  const text = `kind: OrchAPIServerCAConfig\napiVersion: v1alpha1\nacceptedCAs:\n  - |\n${item}\n`;
  const { acceptedCAs } = parse(changed(text, 'drop', false)) as { readonly acceptedCAs: readonly string[] };
  t.deepEqual(
    acceptedCAs.map((crt) => crt.trim()),
    [other!.crt.trim()],
  );
});

const worker = (type: string): string => `version: v1alpha1
machine:
  type: ${type}
  ca: {crt: ${base64(former!.crt)}}
cluster:
  controlPlane: {endpoint: "https://127.0.0.1:6443"}
  ca: {crt: ${base64(former!.crt)}, key: ''}
`;

/** All that is sent to a node in the steps of a rotation; after each of them its configuration is one that a node takes. */
function sentInAll(
  text: string,
  name: AuthorityName,
  next = replacement.next,
): { readonly operations: readonly Operation[]; readonly text: string } {
  let current = text;
  const operations = steps.flatMap((step) => {
    const node = new ConfiguredNode(current);
    const made = operationsOf(
      step,
      node.authority(name)!,
      { ...replacement, name, next },
      node.isControlPlane,
    );
    current = patchConfiguration(current, [{ text: JSON.stringify(made) }]);
    parseConfiguration(current)[Symbol.dispose]();
    return made;
  });
  return { operations, text: current };
}

/** With the texts that are base64, as keys in the root document are. */
function shown(value: unknown): string {
  const text = JSON.stringify(value, undefined, 1);
  return text.replaceAll(/"([A-Za-z0-9+/=]{40,})"/gu, (_, coded: string) =>
    Buffer.from(coded, 'base64').toString(),
  );
}

for (const type of ['worker', 'join'])
  test(`no key is sent to a machine of type ${type}, and it takes every step`, (t) => {
    for (const [name, section] of [
      ['os', 'machine'],
      ['orch', 'cluster'],
    ] as const) {
      const { operations, text } = sentInAll(worker(type), name);
      t.true(shown(operations).includes('BEGIN CERTIFICATE'), 'what is sent can be read here');
      t.false(shown(operations).includes('PRIVATE KEY'), name);
      const { [section]: changed } = parse(text) as Record<string, { readonly ca: unknown }>;
      t.deepEqual(changed?.ca, { crt: base64(next!.crt) });
      t.notThrows(
        () => sentInAll(worker(type), name, { crt: next!.crt }),
        'nor is one needed on the way back',
      );
    }
  });

test('control planes, by either word, get the key of the new authority', (t) => {
  const own = former!.key.bytes.toString();
  for (const type of ['controlplane', 'init']) {
    const plane = worker(type).replace(
      /ca: \{crt: .*\}\nc/u,
      `ca: {crt: ${base64(former!.crt)}, key: ${base64(own)}}\nc`,
    );
    const { text } = sentInAll(plane, 'os');
    const { machine } = parse(text) as { readonly machine: { readonly ca: unknown } };
    t.deepEqual(machine.ca, { crt: base64(next!.crt), key: base64(key) });
    t.throws(() => sentInAll(plane, 'os', { crt: next!.crt }), { code: 'ERR_ROTATION_KEY' });
  }
});

test('a document that is not valid without the key has it replaced with its certificate', (t) => {
  const pair = `issuingCA:\n  cert: |\n${indented(former!.crt)}\n  key: |\n${indented(former!.key.bytes.toString())}\n`;
  const root = worker('worker').replace(/cluster:[^]*/u, '');
  const document = `---\napiVersion: v1alpha1\nkind: OrchAPIServerCAConfig\n${pair}`;
  const { operations } = sentInAll(`${root}${document}`, 'orch');
  t.true(
    operations.some(({ path, value }) => {
      return path === '/OrchAPIServerCAConfig/issuingCA' && (value as { readonly key?: string }).key === key;
    }),
  );
});

/** The steps that are ahead of a node with this authority, which accepts these. */
function ahead(own: string | undefined, ...accepted: readonly string[]): readonly string[] {
  const configured = { own, accepted: [accepted], form: undefined as never };
  return steps.filter((step) => isAhead(step, standingOf(configured, replacement, 'node')));
}

test('what a node has left to do is read from what it has', (t) => {
  t.deepEqual(ahead(former!.crt), ['accept', 'issue']);
  t.deepEqual(ahead(former!.crt, next!.crt), ['issue']);
  t.deepEqual(ahead(next!.crt, former!.crt), ['drop']);
  t.deepEqual(ahead(next!.crt), []);
  t.deepEqual(ahead(undefined, former!.crt), ['accept', 'drop']);
  t.throws(() => ahead(other!.crt), { code: 'ERR_ROTATION_NODE' });
});
