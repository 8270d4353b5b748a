import test from 'ava';

import { parse } from '@nodecore/config';
import { refused, unmark, warningsOf } from './fixtures/marked.ts';
import { problemsOf, userVolume } from './fixtures/problems.ts';

const withEndpoint = (endpoint: string): string =>
  userVolume(`encryption:\n  provider: luks2\n  keys:\n    - kms:\n        endpoint: ${endpoint}\n`);

const accepted = [
  'grpcs://kms.example:4050',
  'https://kms.example',
  'grpcs://10.0.0.1:1',
  '"grpcs://[2001:db8::1]:4050"',
];

for (const endpoint of accepted) {
  test(`an endpoint is kept as it was written: ${endpoint}`, (t) => {
    using configuration = parse(withEndpoint(endpoint));
    const key = configuration.all('UserVolumeConfig')[0]?.encryption?.keys[0];
    t.is(key?.kind === 'kms' ? key.endpoint : undefined, endpoint.replaceAll('"', ''));
    t.deepEqual(configuration.warnings, []);
  });
}

/** `§` marks the character that is wrong. */
const wrong = [
  '§http://kms.example',
  '"§htps://kms.example"',
  'grpcs://kms.example:§0',
  'grpcs://kms.example:§65536',
  'grpcs://kms.example§/seal',
  "'grpcs://kms.example§?a=b'",
  '"\\x67rpcs://kms.example§/seal"',
  'grpcs://§:4050',
  '"grpcs://[§kms]:4050"',
  '"§"',
];

for (const marked of wrong) {
  test(`an endpoint is refused at the character that is wrong: ${marked}`, (t) => {
    const { text, line, column } = unmark(withEndpoint(marked));
    const [found, ...more] = refused(text);
    t.deepEqual(more, []);
    t.is(found?.code, 'key.kms_endpoint');
    t.deepEqual([found?.line, found?.column], [line, column]);
  });
}

test('an endpoint with a password does not show it', (t) => {
  const [problem] = problemsOf(withEndpoint('grpcs://me:geheim@kms.example'));
  t.is(problem?.code, 'key.kms_endpoint');
  t.false(JSON.stringify(problem).includes('geheim'));
});

test('a key server that sends keys in clear is a warning', (t) => {
  const [warning] = warningsOf(withEndpoint('grpc://kms.example:4050'));
  t.like(warning, { code: 'key.kms_plaintext', path: 'encryption.keys[0].kms.endpoint' });
});
