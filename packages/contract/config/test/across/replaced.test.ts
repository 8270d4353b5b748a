import test from 'ava';

import { kinds } from '../../src/kind/kinds.ts';
import { caCertificate, caKey } from '../fixtures/authority.ts';
import { problemsOf } from '../fixtures/problems.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const root = `version: v1alpha1
machine:
  type: controlplane
  ca: {crt: ${base64(caCertificate)}, key: ${base64(caKey)}}
`;

test('a field of the root that a document says, too, is refused where it stands: identity and discovery of a cluster', (t) => {
  const identity = `---
apiVersion: v1alpha1
kind: DiscoveryIdentityConfig
clusterID: ${base64('i'.repeat(32))}
clusterSecret: ${base64('s'.repeat(32))}
`;
  const found = problemsOf(`${root}cluster:\n  id: home\n  secret: ${base64('r'.repeat(32))}\n${identity}`);
  t.deepEqual(
    found.map(({ code, path, line, column }) => ({ code, path, line, column })),
    [
      { code: 'root.replaced', path: 'cluster.id', line: 6, column: 7 },
      { code: 'root.replaced', path: 'cluster.secret', line: 7, column: 11 },
    ],
  );
  t.true(found.every(({ message }) => message.includes('DiscoveryIdentityConfig')));
  t.deepEqual(problemsOf(`${root}${identity}`), []);
});

test('every field that a kind replaces is refused beside a document of it, wherever it lies in the root', (t) => {
  let fields = 0;
  for (const { kind, options } of kinds.values()) {
    for (const path of options.replaces ?? []) {
      const [section = '', first = '', ...below] = path.split('.');
      const value = below.toReversed().reduce((text, step) => `{${step}: ${text}}`, '{}');
      const text = `${root}${section === 'machine' ? '' : `${section}:\n`}  ${first}: ${value}\n`;
      const document = `---\napiVersion: v1alpha1\nkind: ${kind}\n`;
      const found = problemsOf(`${text}${document}${document}name: other\n`);
      const replaced = found.filter(({ code }) => code === 'root.replaced');
      t.deepEqual(
        replaced.map((one) => one.path),
        [path],
        `${kind} ${path}`,
      );
      t.is(replaced[0]?.line, section === 'machine' ? 5 : 6, path);
      fields += 1;
    }
  }
  t.true(fields > 30, `${fields} fields`);
});
