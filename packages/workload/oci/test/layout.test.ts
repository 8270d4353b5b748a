import { execFile } from 'node:child_process';
import { appendFile, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { digestOf, mediaTypes, OciLayout } from '../src/index.ts';
import { config, layer, layerDescriptor, manifest } from './running-registry.ts';

const run = promisify(execFile);
const descriptor = { mediaType: mediaTypes.manifest, digest: digestOf(manifest), size: manifest.length };

async function* from(bytes: Buffer, start: number): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(start);
}

async function* cutOff(): AsyncGenerator<Uint8Array> {
  yield layer.subarray(0, 5000);
  throw new Error('the cable');
}

/** A layout with the image of the tests under `v1`. */
async function filled(t: ExecutionContext): Promise<{ directory: string; layout: OciLayout }> {
  const directory = await temporaryDirectory(t);
  const layout = await OciLayout.create(directory);
  for (const bytes of [config, layer, manifest])
    await layout.putBlob({ digest: digestOf(bytes), size: bytes.length }, (start) => from(bytes, start));
  await layout.tag('v1', descriptor);
  return { directory, layout };
}

const blobFile = (directory: string, digest: string): string =>
  join(directory, 'blobs', digest.replace(':', '/'));

testWith(program('skopeo'))('skopeo reads a layout of ours, and we read one of its', async (t) => {
  const { directory } = await filled(t);
  const { stdout } = await run('skopeo', ['inspect', '--raw', `oci:${directory}:v1`]);
  t.is(stdout, manifest.toString());
  const other = await temporaryDirectory(t);
  await run('skopeo', [
    'copy',
    '--insecure-policy',
    '--preserve-digests',
    `oci:${directory}:v1`,
    `oci:${other}:v2`,
  ]);
  const layout = await OciLayout.open(other);
  t.deepEqual(await layout.tags(), ['v2']);
  t.deepEqual((await layout.manifest('', 'v2')).bytes, manifest);
  const chunks = await Array.fromAsync(layout.blobFrom('', layerDescriptor, 1000));
  t.deepEqual(Buffer.concat(chunks), layer.subarray(1000));
});

test('a tag takes the place of itself, and what others have written into the index stays', async (t) => {
  const { directory, layout } = await filled(t);
  const path = join(directory, 'index.json');
  const index = JSON.parse(await readFile(path, 'utf8'));
  const theirs = {
    ...descriptor,
    artifactType: 'application/x',
    annotations: { 'org.opencontainers.image.ref.name': 'theirs' },
  };
  await writeFile(path, JSON.stringify({ ...index, manifests: [...index.manifests, theirs], more: 1 }));
  await layout.tag('v1', descriptor);
  const after = JSON.parse(await readFile(path, 'utf8'));
  t.is(after.more, 1);
  t.is(after.manifests.length, 2);
  t.deepEqual(after.manifests[0], theirs);
  t.deepEqual(await (await OciLayout.create(directory)).tags(), ['theirs', 'v1']);
});

test('a layout that is none, or of another version, or has other bytes than it says, is refused', async (t) => {
  const none = await temporaryDirectory(t);
  await t.throwsAsync(OciLayout.open(none), { code: 'ERR_OCI_NOT_FOUND' });
  await t.throwsAsync(OciLayout.open(join(none, 'none')), { code: 'ERR_OCI_NOT_FOUND' });
  const { directory, layout } = await filled(t);
  await t.throwsAsync(layout.manifest('', 'v2'), { code: 'ERR_OCI_NOT_FOUND' });
  await appendFile(blobFile(directory, descriptor.digest), ' ');
  await t.throwsAsync(layout.manifest('', 'v1'), { code: 'ERR_OCI_DIGEST' });
  await rm(blobFile(directory, descriptor.digest));
  await symlink('/etc/passwd', blobFile(directory, descriptor.digest));
  await t.throwsAsync(layout.manifest('', 'v1'), { code: 'ERR_OCI_MANIFEST' });
  await rm(blobFile(directory, descriptor.digest));
  await run('mkfifo', [blobFile(directory, descriptor.digest)]);
  await t.throwsAsync(layout.manifest('', 'v1'), { code: 'ERR_OCI_MANIFEST' });
  for (const text of ['', '[]', '{"imageLayoutVersion":"2.0.0"}']) {
    await writeFile(join(directory, 'oci-layout'), text);
    await t.throwsAsync(OciLayout.open(directory), { code: 'ERR_OCI_MANIFEST' });
    await t.throwsAsync(OciLayout.create(directory), { code: 'ERR_OCI_MANIFEST' });
  }
});

test('a tag that is there twice is of nobody', async (t) => {
  const { directory, layout } = await filled(t);
  const path = join(directory, 'index.json');
  const index = JSON.parse(await readFile(path, 'utf8'));
  const [first] = index.manifests;
  const second = { ...first, digest: layerDescriptor.digest };
  await writeFile(path, JSON.stringify({ ...index, manifests: [first, second] }));
  await t.throwsAsync(layout.manifest('', 'v1'), { code: 'ERR_OCI_MANIFEST', message: /there twice/ });
});

test('other bytes never get the name of a blob, and what was cut off is gone on with', async (t) => {
  const layout = await OciLayout.create(await temporaryDirectory(t));
  const blob = { digest: layerDescriptor.digest, size: layer.length };
  await t.throwsAsync(layout.putBlob(blob, cutOff), { message: 'the cable' });
  t.false(await layout.hasBlob(blob));
  const asked: number[] = [];
  await layout.putBlob(blob, (start) => {
    asked.push(start);
    return from(layer, start);
  });
  t.deepEqual(asked, [5000]);
  t.true(await layout.hasBlob(blob));
  const other = await OciLayout.create(await temporaryDirectory(t));
  const wrong = Buffer.alloc(layer.length);
  await t.throwsAsync(
    other.putBlob(blob, (start) => from(wrong, start)),
    { code: 'ERR_OCI_DIGEST' },
  );
  t.false(await other.hasBlob(blob));
});
