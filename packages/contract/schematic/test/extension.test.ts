import test from 'ava';

import {
  allowedPaths,
  isInRange,
  type LayerFile,
  layerProblems,
  parseExtensionManifest,
} from '../src/extension.ts';

const base = new Map<string, LayerFile['kind']>([
  ['/usr', 'directory'],
  ['/usr/lib', 'directory'],
  ['/usr/lib/firmware', 'directory'],
  ['/usr/lib/firmware/tigon.bin', 'file'],
  ['/usr/local', 'directory'],
  ['/usr/local/lib', 'link'],
  ['/usr/share/egl', 'file'],
]);

const file = (path: string, facts: Partial<LayerFile> = {}): LayerFile => {
  const kind = facts.kind ?? 'file';
  return { path, kind, mode: kind === 'directory' ? 0o755 : 0o644, uid: 0, gid: 0, ...facts };
};

const directory = (path: string, facts: Partial<LayerFile> = {}) =>
  file(path, { kind: 'directory', ...facts });

test('files in their places, links, and the directories that lead there may be in a layer', (t) => {
  const paths = allowedPaths.filter((path) => path !== '/usr/share/egl');
  const files = [
    ...['/', '/usr', '/usr/lib', '/usr/local', '/etc', '/etc/cri', '/usr/lib/firmware'].map((path) =>
      directory(path),
    ),
    ...paths.filter((path) => !path.startsWith('/usr/l')).map((path) => file(path)),
    file('/usr/local/bin/tool', { mode: 0o755 }),
    file('/usr/local/sbin/mkfs.btrfs', { kind: 'link', mode: 0o777 }),
    file('/usr/lib/firmware/mine.bin'),
  ];
  t.deepEqual(layerProblems(files, base), []);
});

const refused: readonly (readonly [LayerFile, string])[] = [
  [file('/usr/bin/node'), 'is where no extension may have files'],
  [file('/usr/localhost/tool'), 'is where no extension may have files'],
  [file('/usr/bin/nvme-cli'), 'is where no extension may have files'],
  [file('/etc'), 'is where no extension may have files'],
  [file('/init', { kind: 'link' }), 'is where no extension may have files'],
  [directory('/sbin'), 'is where no extension may have files'],
  [file('/usr/local/null', { kind: 'other' }), 'is no file, directory or link'],
  [file('/usr/local/su', { mode: 0o4755 }), 'changes who runs it (set-user-ID or set-group-ID)'],
  [file('/usr/local/mail', { mode: 0o2755 }), 'changes who runs it (set-user-ID or set-group-ID)'],
  [directory('/usr/local/tmp', { mode: 0o1777 }), 'may be written by everybody'],
  [file('/usr/local/open', { mode: 0o646 }), 'may be written by everybody'],
  [file('/usr/local/his', { uid: 1000 }), 'belongs to 1000:0, and not to root'],
  [file('/usr/local/theirs', { gid: 5 }), 'belongs to 0:5, and not to root'],
  [file('/usr/lib/firmware/tigon.bin'), 'would hide /usr/lib/firmware/tigon.bin of the base'],
  [file('/usr/local', { kind: 'link' }), 'would hide /usr/local of the base'],
  [directory('/usr/local/lib'), 'would hide /usr/local/lib of the base'],
  [file('/usr/local/lib/x.so'), 'would hide /usr/local/lib of the base'],
  [directory('/usr/share/egl'), 'would hide /usr/share/egl of the base'],
  [directory('/', { mode: 0o777 }), 'may be written by everybody'],
  [file('/usr/local/../bin/node'), 'is no path in a root'],
  [file('/usr/local/./x'), 'is no path in a root'],
  [file('/usr/local//x'), 'is no path in a root'],
  [file('usr/local/x'), 'is no path in a root'],
  [file('/usr/local/\u001b[2J'), 'is no path in a root'],
  [file(`/usr/local/${'x'.repeat(1024)}`), 'is no path in a root'],
];

for (const [one, problem] of refused)
  test(`${one.kind} ${JSON.stringify(one.path.slice(0, 40))} with mode ${one.mode.toString(8)} of ${one.uid}:${one.gid} ${problem}`, (t) => {
    t.deepEqual(layerProblems([one], base), [`${JSON.stringify(one.path)} ${problem}`]);
  });

test('a manifest says what an extension is, and which versions it is for', (t) => {
  const manifest = parseExtensionManifest(
    'version: v1alpha1\nmetadata:\n  name: btrfs\n  version: v1.14.0\n  author: nodecore\n  description: a filesystem\n  aliases: [os/former]\n  compatibility: {os: {version: ">= v1.14.0"}}\n',
  );
  t.deepEqual(manifest, {
    metadata: {
      name: 'btrfs',
      version: 'v1.14.0',
      author: 'nodecore',
      description: 'a filesystem',
      extraInfo: '',
      aliases: ['os/former'],
    },
    range: '>= v1.14.0',
  });
  for (const [text, message] of [
    ['version: v2\nmetadata: {name: a}', /version must be v1alpha1/u],
    ['version: v1alpha1', /needs metadata/u],
    ['version: v1alpha1\nmetadata: {name: ../a}', /needs a name/u],
    ['version: v1alpha1\nmetadata: {name: a, entrypoint: /bin/sh}', /no such field/u],
    ['version: v1alpha1\nmetadata: {name: a, compatibility: {os: {version: new}}}', /a range of versions/u],
  ] as const)
    t.throws(() => parseExtensionManifest(text), { message }, text);
});

test('a version is in a range, or not, or the range is none', (t) => {
  for (const [range, isIn] of [
    ['>= v1.14.0', true],
    ['>=v1.14.0 <v1.16.0', true],
    ['>= v1.14.0, < v1.15.0', false],
    ['v1.15.1', true],
    ['< v1.15.0 || > v1.15.0', true],
    ['> v1.15.1', false],
    ['>= v1.15.1-alpha.0', true],
    ['', undefined],
    ['>= v1', undefined],
    ['~1.15', undefined],
  ] as const)
    t.is(isInRange('v1.15.1', range), isIn, range);
});
