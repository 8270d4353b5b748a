import { patchConfiguration } from '@nodecore/config';
import * as pki from '@nodecore/pki';
import test from 'ava';
import { parse } from 'yaml';

import { ConfiguredNode } from '../src/rotate-ca/configured.ts';
import { isAhead, operationsOf, type Replacement, standingOf, steps } from '../src/rotate-ca/replacement.ts';

const [former, next, other] = await Promise.all(['a', 'b', 'c'].map((name) => pki.createCA(name)));
const base64 = (pem: string): string => Buffer.from(pem).toString('base64');
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
