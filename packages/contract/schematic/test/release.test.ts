import { generateKeyPairSync } from 'node:crypto';

import test from 'ava';

import {
  architectureFiles,
  compareVersions,
  formatRelease,
  imageVersionOf,
  parseRelease,
  type Release,
  ReleaseError,
  signRelease,
  verifyRelease,
} from '../src/release.ts';

const release: Release = {
  layout: 1,
  version: 'v1.14.0-alpha.0',
  channel: 'development',
  created: '2026-11-22T00:00:00Z',
  minimumVersion: 'v1.14.0-alpha.0',
  architectures: { amd64: { kernelVersion: '6.1.0-50-amd64' } },
  files: Object.fromEntries(
    architectureFiles.map((name, index) => [`amd64/${name}`, { size: index, sha256: 'ab'.repeat(32) }]),
  ),
};

/** The text of the release with one field put elsewhere. */
function changed(change: (fields: any) => void): string {
  const fields = structuredClone(release);
  change(fields);
  return JSON.stringify(fields);
}

test('a release is read as it was written, and is the same text in whatever order it was made', (t) => {
  const text = formatRelease(release);
  t.deepEqual(parseRelease(text), release);
  const reversed = {
    ...release,
    files: Object.fromEntries(Object.entries(release.files).toReversed()),
  };
  t.is(formatRelease(reversed), text);
  t.true(text.endsWith('}\n'));
});

const about = { version: 'v1', author: 'us', description: 'a filesystem', extraInfo: '' };
const withExtension: Release = {
  ...release,
  architectures: { amd64: { kernelVersion: '6.1.0-50-amd64', extensions: { 'os/btrfs': about } } },
  files: { ...release.files, 'amd64/extensions/os/btrfs.sqsh': { size: 1, sha256: 'ab'.repeat(32) } },
};

test('a release names its extensions, each with its file', (t) => {
  t.deepEqual(parseRelease(formatRelease(withExtension)), withExtension);
  const extensions = { 'os/btrfs': { ...about, aliases: ['os/former'] } };
  const renamed = { ...withExtension, architectures: { amd64: { kernelVersion: '6.1.0', extensions } } };
  t.deepEqual(parseRelease(formatRelease(renamed)), renamed);
  const { 'amd64/extensions/os/btrfs.sqsh': _file, ...files } = withExtension.files;
  t.like(
    t.throws(() => formatRelease({ ...withExtension, files })),
    {
      code: 'ERR_RELEASE_INVALID',
      field: 'files.amd64/extensions/os/btrfs.sqsh',
    },
  );
  for (const extensions of [
    { '../x': about },
    { a: { ...about, entrypoint: '/bin/sh' } },
    { a: { version: 1 } },
    { a: { ...about, aliases: 'b' } },
    { a: { ...about, aliases: ['../b'] } },
    { a: { ...about, aliases: ['b'] }, b: about },
    { a: { ...about, aliases: ['c'] }, b: { ...about, aliases: ['c'] } },
    { a: { ...about, aliases: ['a'] } },
  ]) {
    const text = changed((fields) => (fields.architectures.amd64.extensions = extensions));
    t.throws(() => parseRelease(text), { code: 'ERR_RELEASE_INVALID' }, JSON.stringify(extensions));
  }
});

const wrong: readonly (readonly [string | undefined, (fields: any) => void])[] = [
  ['version', (fields) => (fields.version = '1.14.0')],
  ['version', (fields) => delete fields.version],
  ['channel', (fields) => (fields.channel = 'A b')],
  ['created', (fields) => (fields.created = '2026-13-45T00:00:00Z')],
  ['minimumVersion', (fields) => (fields.minimumVersion = 5)],
  ['architectures.mips', (fields) => (fields.architectures.mips = {})],
  ['architectures', (fields) => (fields.architectures = {})],
  ['architectures.amd64.kernelVersion', (fields) => (fields.architectures.amd64.kernelVersion = '')],
  ['files.amd64/kernel', (fields) => delete fields.files['amd64/kernel']],
  ['files.amd64/kernel.size', (fields) => (fields.files['amd64/kernel'].size = -1)],
  ['files.amd64/kernel.sha256', (fields) => (fields.files['amd64/kernel'].sha256 = 'AB'.repeat(32))],
  ['files.amd64/kernel.mode', (fields) => (fields.files['amd64/kernel'].mode = 1)],
  ['files.../etc/passwd', (fields) => (fields.files['../etc/passwd'] = { size: 1, sha256: 'ab'.repeat(32) })],
  ['files./etc/passwd', (fields) => (fields.files['/etc/passwd'] = { size: 1, sha256: 'ab'.repeat(32) })],
  ['files.a//b', (fields) => (fields.files['a//b'] = { size: 1, sha256: 'ab'.repeat(32) })],
  ['extra', (fields) => (fields.extra = true)],
  ['files', (fields) => (fields.files = [])],
];

for (const [index, [field, change]] of wrong.entries())
  test(`what is wrong is named with file and field: ${field} (${index})`, (t) => {
    const error = t.throws(() => parseRelease(changed(change), '/r/release.json'), {
      instanceOf: ReleaseError,
    });
    t.is(error?.code, 'ERR_RELEASE_INVALID');
    t.is(error?.file, '/r/release.json');
    t.is(error?.field, field);
    t.true(error?.message.startsWith(`/r/release.json: ${field}: `));
  });

test('what is no JSON, and a later layout, have their own words', (t) => {
  t.is(t.throws(() => parseRelease('{'), { instanceOf: ReleaseError })?.code, 'ERR_RELEASE_INVALID');
  const later = changed((fields) => Object.assign(fields, { layout: 2, more: 1 }));
  t.is(t.throws(() => parseRelease(later), { instanceOf: ReleaseError })?.code, 'ERR_RELEASE_LAYOUT');
});

test('a release that could not be read is not written', (t) => {
  t.throws(() => formatRelease({ ...release, version: '1' }), { code: 'ERR_RELEASE_INVALID' });
});

test('a signature holds for these bytes and this key alone', (t) => {
  const [ours, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const bytes = Buffer.from(formatRelease(release));
  const signature = signRelease(bytes, ours.privateKey);
  t.is(signature.length, 64);
  t.notThrows(() => verifyRelease(bytes, signature, [other.publicKey, ours.publicKey]));
  const refused = { code: 'ERR_RELEASE_SIGNATURE' };
  t.throws(() => verifyRelease(bytes, signature, [other.publicKey]), refused);
  t.throws(() => verifyRelease(bytes, signature, []), refused);
  t.throws(() => verifyRelease(bytes, signature.subarray(1), [ours.publicKey]), refused);
  const altered = Buffer.from(bytes);
  altered[10] = (altered[10] ?? 0) ^ 1;
  t.throws(() => verifyRelease(altered, signature, [ours.publicKey]), refused);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
  t.throws(() => signRelease(bytes, rsa.privateKey), { code: 'ERR_RELEASE_KEY' });
  t.throws(() => verifyRelease(bytes, signature, [rsa.publicKey]), { code: 'ERR_RELEASE_KEY' });
});

test('versions are in order, and a pre-release is below its release in files, too', (t) => {
  const ordered = [
    'v1.9.0',
    'v1.14.0-alpha.0',
    'v1.14.0-alpha.2',
    'v1.14.0-alpha.10',
    'v1.14.0-beta.0',
    'v1.14.0-rc.1',
    'v1.14.0',
    'v1.14.1',
    'v2.0.0',
  ];
  t.deepEqual(ordered.toReversed().sort(compareVersions), ordered);
  t.is(imageVersionOf('v1.14.0-alpha.0'), '1.14.0~alpha.0');
  t.is(imageVersionOf('v1.14.0'), '1.14.0');
  for (const text of ['1.14.0', 'v1.14', 'v01.1.1', 'v1.1.1-', 'v1.1.1-a/b', 'v1.1.1\n'])
    t.throws(() => compareVersions(text, 'v1.0.0'), { code: 'ERR_RELEASE_VERSION' }, text);
});
