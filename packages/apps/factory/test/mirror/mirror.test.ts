import { createHash, generateKeyPairSync } from 'node:crypto';
import {
  cp,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';

import { flock, LOCK_EX, LOCK_NB } from '@nodecore/sys';
import type { Release } from '@nodecore/schematic/release';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { mirrorRelease, type MirrorOptions, showRelease, verifyRelease } from '../../src/mirror/mirror.ts';
import { parsePlace } from '../../src/mirror/place.ts';
import { releaseKeys, writeRelease } from '../running-factory.ts';

const v = 'v1.14.0';
const options: MirrorOptions = { keys: [releaseKeys.publicKey] };
const place = parsePlace;

/** Content of all files below a directory, by hash. */
async function tree(directory: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) continue;
    found[path.slice(directory.length + 1)] = entry.isFile()
      ? createHash('sha256')
          .update(await readFile(path))
          .digest('hex')
      : 'other';
  }
  return found;
}

/** In a layout, files that are the same are one. */
function distinctBytes({ files }: Release): bigint {
  const sizes = new Map(Object.values(files).map(({ sha256, size }) => [sha256, size]));
  return [...sizes.values()].reduce((sum, size) => sum + BigInt(size), 0n);
}

async function places(
  t: ExecutionContext,
): Promise<{ directory: string; release: string; layout: string; releases: string }> {
  const directory = await temporaryDirectory(t);
  const release = await writeRelease(join(directory, 'from'), v, { 'os/btrfs': Buffer.from('a squashfs') });
  return { directory, release, layout: join(directory, 'layout'), releases: join(directory, 'to') };
}

test('a release goes through a layout into a directory, and is the same there', async (t) => {
  const { release, layout, releases } = await places(t);
  const out = await mirrorRelease(place(release), place(`oci:${layout}`), options);
  const back = await mirrorRelease(place(`oci:${layout}`), place(releases), options);
  t.deepEqual(await tree(join(releases, v)), await tree(release));
  t.deepEqual(await readdir(releases), [v]);
  t.is(out.digest, back.digest);
  t.is(out.copiedBytes, distinctBytes(out.release));
  t.is(back.copiedBytes, back.sizeBytes);
  t.is(back.release.version, v);
  t.is((await verifyRelease(place(`oci:${layout}:${v}`), options)).sizeBytes, out.sizeBytes);
  const again = [
    await mirrorRelease(place(release), place(`oci:${layout}:${v}`), options),
    await mirrorRelease(place(`oci:${layout}`), place(releases), options),
  ];
  t.deepEqual(
    again.map(({ copiedBytes }) => copiedBytes),
    [0n, 0n],
  );
});

test('what was cut off after any file is not there, and is gone on with', async (t) => {
  const { release, layout, releases } = await places(t);
  const count = Object.keys((await showRelease(place(release), options)).release.files).length;
  for (const [to, version] of [
    [`oci:${layout}`, `oci:${layout}:${v}`],
    [releases, join(releases, v)],
  ] as const) {
    for (let end = 1; end <= count; end += 1) {
      const given = new AbortController();
      let done = 0;
      const copied: boolean[] = [];
      const cutOff = mirrorRelease(place(release), place(to), {
        ...options,
        signal: given.signal,
        onFile: (_path, _size, isCopied) => {
          copied.push(isCopied);
          done += 1;
          if (done === end) throw new Error('cut off');
        },
      });
      await t.throwsAsync(cutOff, { message: 'cut off' });
      t.false(copied.slice(0, -1).includes(true), 'what an earlier call has copied stays');
      await t.throwsAsync(verifyRelease(place(version), options));
    }
    await mirrorRelease(place(release), place(to), options);
    await verifyRelease(place(version), options);
  }
});

test('a file that was cut off goes on in its middle, and what is damaged is copied again', async (t) => {
  const { release, layout, releases } = await places(t);
  await mirrorRelease(place(release), place(`oci:${layout}`), options);
  const base = 'amd64/base.sqsh';
  const work = join(releases, `${v}.part`);
  await mkdir(join(work, 'amd64'), { recursive: true });
  await cp(join(release, base), join(work, `${base}.part`));
  await truncate(join(work, `${base}.part`), 1_000_000);
  await writeFile(join(work, 'amd64/kernel'), Buffer.alloc((await stat(join(release, 'amd64/kernel'))).size));
  const elsewhere = await temporaryDirectory(t);
  await symlink(elsewhere, join(work, 'osctl'));
  await writeFile(join(work, 'of-another-build'), 'x');
  await mirrorRelease(place(`oci:${layout}`), place(releases), options);
  t.deepEqual(await tree(join(releases, v)), await tree(release));
  t.deepEqual(await readdir(elsewhere), []);

  // A factory has it open meanwhile: what is damaged gets a new file, and no other release takes its place.
  const kernel = join(releases, v, 'amd64/kernel');
  await writeFile(kernel, Buffer.alloc((await stat(kernel)).size));
  const { copiedBytes } = await mirrorRelease(place(`oci:${layout}`), place(releases), options);
  t.is(copiedBytes, BigInt((await stat(kernel)).size));
  t.deepEqual(await tree(join(releases, v)), await tree(release));
});

const unproven: readonly (readonly [
  title: string,
  change: (release: string) => Promise<void>,
  error: object,
])[] = [
  [
    'of a byte of release.json',
    async (release) => {
      const path = join(release, 'release.json');
      await writeFile(path, (await readFile(path, 'utf8')).replace('development', 'developments'));
    },
    { code: 'ERR_RELEASE_SIGNATURE' },
  ],
  [
    'without a signature',
    (release) => rm(join(release, 'release.json.sig')),
    { code: 'ERR_FACTORY_RELEASE' },
  ],
  [
    'of a byte of a file',
    (release) => writeFile(join(release, 'amd64/initramfs.cpio'), Buffer.alloc(10_002)),
    { code: 'ERR_OCI_DIGEST' },
  ],
  [
    'of a file that is longer',
    (release) => writeFile(join(release, 'amd64/initramfs.cpio'), Buffer.alloc(10_003)),
    { code: 'ERR_OCI_DIGEST' },
  ],
  ['without a file', (release) => rm(join(release, 'amd64/kernel')), { code: 'ERR_FACTORY_RELEASE' }],
  [
    'with a link in place of a file',
    async (release) => {
      await rename(join(release, 'amd64/kernel'), join(release, 'amd64/other'));
      await symlink('other', join(release, 'amd64/kernel'));
    },
    { code: 'ERR_FACTORY_RELEASE' },
  ],
];

for (const [title, change, error] of unproven)
  test(`nobody gets a release ${title}`, async (t) => {
    const { release, layout, releases } = await places(t);
    await change(release);
    for (const to of [`oci:${layout}`, releases])
      await t.throwsAsync(mirrorRelease(place(release), place(to), options), error);
    await t.throwsAsync(verifyRelease(place(release), options), error);
    await t.throwsAsync(verifyRelease(place(`oci:${layout}:${v}`), options), { code: 'ERR_OCI_NOT_FOUND' });
    await t.throwsAsync(stat(join(releases, v)), { code: 'ENOENT' });
  });

test('a layout that names other files than were signed gives none of them', async (t) => {
  const { release, layout, releases } = await places(t);
  await mirrorRelease(place(release), place(`oci:${layout}`), options);
  const { files } = (await showRelease(place(release), options)).release;
  const { sha256, size } = files['amd64/kernel']!;
  await writeFile(join(layout, 'blobs/sha256', sha256), Buffer.alloc(size));
  await t.throwsAsync(mirrorRelease(place(`oci:${layout}`), place(releases), options), {
    code: 'ERR_OCI_DIGEST',
  });
  await t.throwsAsync(stat(join(releases, v)), { code: 'ENOENT' });
});

test('a release that was signed is not taken under the version of another one', async (t) => {
  const { directory, release, layout, releases } = await places(t);
  await mirrorRelease(place(release), place(`oci:${layout}`), options);
  const path = join(layout, 'index.json');
  await writeFile(path, (await readFile(path, 'utf8')).replace(`"${v}"`, '"v1.15.0"'));
  await t.throwsAsync(mirrorRelease(place(`oci:${layout}`), place(releases), options), {
    code: 'ERR_FACTORY_RELEASE',
    message: /says that it is v1\.14\.0/,
  });
  await t.throwsAsync(mirrorRelease(place(release), place(`oci:${join(directory, 'x')}:v1.15.0`), options), {
    code: 'ERR_FACTORY_PLACE',
  });
  await t.throwsAsync(stat(join(directory, 'x')), { code: 'ENOENT' });
});

test('a release of a key that is not known is shown to nobody', async (t) => {
  const { release, releases } = await places(t);
  const keys = [generateKeyPairSync('ed25519').publicKey];
  const error = { code: 'ERR_RELEASE_SIGNATURE' };
  await t.throwsAsync(showRelease(place(release), { keys }), error);
  await t.throwsAsync(mirrorRelease(place(release), place(releases), { keys }), error);
  await t.throwsAsync(stat(releases), { code: 'ENOENT' });
  await showRelease(place(release), { keys: [...keys, releaseKeys.publicKey] });
});

test('another release of the same version is not replaced, and neither is what is no release', async (t) => {
  const { directory, release, layout, releases } = await places(t);
  for (const to of [`oci:${layout}`, releases]) await mirrorRelease(place(release), place(to), options);
  const other = await writeRelease(join(directory, 'other'), v);
  const before = [await tree(layout), await tree(releases)];
  for (const to of [`oci:${layout}`, releases])
    await t.throwsAsync(mirrorRelease(place(other), place(to), options), {
      code: 'ERR_FACTORY_RELEASE_OTHER',
    });
  t.deepEqual([await tree(layout), await tree(releases)], before);
  await mkdir(join(directory, 'mine', v), { recursive: true });
  await t.throwsAsync(mirrorRelease(place(release), place(join(directory, 'mine')), options), {
    code: 'ERR_FACTORY_RELEASE_OTHER',
    message: /is no release/,
  });
});

test('what is easily mistaken for the place of a release is refused, and nothing is written there', async (t) => {
  const { directory, release, layout, releases } = await places(t);
  await mirrorRelease(place(release), place(`oci:${layout}`), options);
  const mine = join(directory, 'mine');
  await mkdir(mine);
  await writeFile(join(mine, 'letter'), 'x');
  const before = await tree(directory);
  for (const [to, message] of [
    [layout, /it is an OCI layout: write oci:/],
    [release, /it is a release: name the directory that it is in/],
    [`oci:${mine}`, /no OCI layout, and it is not empty: it has "letter"/],
  ] as const)
    await t.throwsAsync(mirrorRelease(place(release), place(to), options), {
      code: 'ERR_FACTORY_PLACE',
      message,
    });
  for (const from of [join(directory, 'from'), join(directory, 'none'), join(mine, 'letter')])
    await t.throwsAsync(mirrorRelease(place(from), place(releases), options), {
      code: 'ERR_FACTORY_RELEASE_NONE',
    });
  await t.throwsAsync(mirrorRelease(place(release), place(join(mine, 'letter')), options), {
    code: 'ERR_FACTORY_STORE',
    message: /letter: v1\.14\.0: ENOTDIR$/,
  });
  t.deepEqual(await tree(directory), before);
});

test('a layout with several releases wants to know which', async (t) => {
  const { directory, release, layout, releases } = await places(t);
  const next = await writeRelease(join(directory, 'from'), 'v1.15.0');
  for (const from of [release, next]) await mirrorRelease(place(from), place(`oci:${layout}`), options);
  await t.throwsAsync(mirrorRelease(place(`oci:${layout}`), place(releases), options), {
    code: 'ERR_FACTORY_PLACE',
    message: /several releases.*v1\.14\.0, v1\.15\.0/,
  });
  await mirrorRelease(place(`oci:${layout}:v1.15.0`), place(releases), options);
  t.deepEqual(await readdir(releases), ['v1.15.0']);
});

test('two who write the same release do not mix', async (t) => {
  const { release, layout, releases } = await places(t);
  await mkdir(join(releases, `${v}.part`), { recursive: true });
  await mkdir(layout);
  for (const [to, locked] of [
    [releases, join(releases, `${v}.part`)],
    [`oci:${layout}`, layout],
  ] as const) {
    await using held = await open(locked, 'r');
    t.is((await flock(held.fd, LOCK_EX | LOCK_NB)).result, 0);
    await t.throwsAsync(mirrorRelease(place(release), place(to), options), {
      code: 'ERR_FACTORY_MIRROR_BUSY',
    });
  }
  await mirrorRelease(place(release), place(releases), options);
});
