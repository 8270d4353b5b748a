import test from 'ava';

import { warningLines } from '../src/configuration/warnings.ts';
import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

const kept = 'is kept';
const warnings = [
  { place: 'a.yaml:1:1', message: kept },
  { place: 'a.yaml:2:1', message: 'is old' },
  { place: 'a.yaml:3:1', message: kept },
  { place: 'a.yaml:4:1', message: kept },
];

test('warnings that say the same are one line that counts them, unless all are wanted', (t) => {
  t.deepEqual(warningLines(warnings, false), [
    'a.yaml:1:1: warning: is kept; 2 more say the same: --verbose names them\n',
    'a.yaml:2:1: warning: is old\n',
  ]);
  t.deepEqual(
    warningLines(warnings, true),
    warnings.map(({ place, message }) => `${place}: warning: ${message}\n`),
  );
  t.deepEqual(warningLines([{ place: 'node', document: 'MeshConfig', message: kept }], false), [
    'node: warning: MeshConfig: is kept\n',
  ]);
});

const document = (name: string): string => `apiVersion: v1alpha1\nkind: DummyLinkConfig\nname: ${name}\n`;

test('apply-config says once what it has to say of many documents, and of each with --verbose', async (t) => {
  const node = await startFakeNode(t);
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const input = ['a', 'b', 'c'].map(document).join('---\n');
  const brief = await osctl(['apply-config', '-f', '-'], { env, input });
  const [first, second] = brief.error.split('\n');
  t.regex(first ?? '', /^<stdin>:2:7: warning: .*; 2 more say the same: --verbose names them$/u);
  t.is(second, `${node.endpoint}: warning: a warning`);
  const whole = await osctl(['apply-config', '-f', '-', '--verbose'], { env, input });
  t.deepEqual(whole.error.match(/^<stdin>:\d+:\d+/gmu), ['<stdin>:2:7', '<stdin>:6:7', '<stdin>:10:7']);
});
