import { gzipSync, zstdCompressSync } from 'node:zlib';

import test, { type ExecutionContext } from 'ava';

import {
  answerRegistry,
  digestOf,
  formatManifest,
  mediaTypes,
  type RegistrySource,
  tarParts,
} from '../../../workload/oci/src/index.ts';
import { config, listen } from '../../../workload/oci/test/running-registry.ts';
import { osctl } from './command-line.ts';

const digest = (letter: string): string => `sha256:${letter.repeat(64)}`;
const version = 'v1.14.0-alpha.0';

type Bundle = { readonly list?: string; readonly packed?: 'gzip' | 'zstd' };

/** As programs pack that use several processors. */
function inTwoFrames(bytes: Buffer): Buffer {
  return Buffer.concat([zstdCompressSync(bytes.subarray(0, 512)), zstdCompressSync(bytes.subarray(512))]);
}

/** A registry with `os/extensions` and `os/overlays` as they are given, and what it was asked for. */
async function registry(t: ExecutionContext, bundles: Readonly<Record<string, Bundle>>) {
  const asked: string[] = [];
  const blobs = new Map<string, Buffer>();
  const keep = (bytes: Uint8Array, mediaType: string) => {
    blobs.set(digestOf(bytes), Buffer.from(bytes));
    return { mediaType, digest: digestOf(bytes), size: bytes.length };
  };
  const manifests = new Map<string, Buffer>(
    Object.entries(bundles).map(([name, { list, packed }]) => {
      const files =
        list === undefined
          ? []
          : [{ path: 'image-digests', size: Buffer.byteLength(list), content: Buffer.from(list) }];
      const tar = Buffer.concat(tarParts<Uint8Array>(files));
      const layer =
        packed === undefined
          ? keep(tar, mediaTypes.layer)
          : keep(packed === 'gzip' ? gzipSync(tar) : inTwoFrames(tar), `${mediaTypes.layer}+${packed}`);
      const parts = { config: keep(config, mediaTypes.config), layers: [layer] };
      return [`os/${name}`, formatManifest({ mediaType: mediaTypes.manifest, ...parts })] as const;
    }),
  );
  const source: RegistrySource<Buffer> = {
    tags: async () => [version],
    manifest: async (name) => {
      const bytes = manifests.get(name);
      return bytes && { bytes, mediaType: mediaTypes.manifest, digest: digestOf(bytes) };
    },
    blob: async (_name, wanted) => {
      const blob = blobs.get(wanted);
      return blob && { size: blob.length, blob };
    },
  };
  const host = await listen(t, async ({ method = '', url = '' }, response) => {
    asked.push(url);
    const { pathname, searchParams } = new URL(url, 'http://registry');
    const request = { method, path: pathname, query: searchParams, headers: {} };
    const { status, headers, body } = await answerRegistry(request, source);
    response.writeHead(status, headers);
    response.end(
      body === undefined || body instanceof Uint8Array || typeof body === 'string' ? body : body.blob,
    );
  });
  return { registry: `${host}/os`, asked };
}

const bundle = (...args: readonly string[]) => osctl(['image', 'os-bundle', ...args]);

test('the images of a release are listed with the extensions and overlays that its registry knows, sorted and once', async (t) => {
  const drivers = `r.example/drivers:1@${digest('b')}`;
  const tools = `r.example/tools:2@${digest('a')}`;
  const { registry: os } = await registry(t, {
    extensions: { list: `${tools}\n\n${drivers}\n${tools}\n`, packed: 'gzip' },
    overlays: { list: `${drivers}\n`, packed: 'zstd' },
  });
  const { code, out, error } = await bundle(version, '--registry', os);
  t.is(code, 0, error);
  const own = ['installer-base', 'imager', 'node', 'osctl-all', 'overlays', 'extensions'];
  const expected = [...own.map((name) => `${os}/${name}:${version}`), drivers, tools];
  t.is(out, expected.map((line) => `${line}\n`).join(''));
  const json = await bundle('--registry', os, '-o', 'json');
  t.deepEqual(
    (JSON.parse(json.out) as readonly { image: string }[]).map(({ image }) => image),
    expected,
    'of its own version unless another is given',
  );
});

test('with false no registry is asked; what is older than 1.14 has an installer', async (t) => {
  const { registry: os, asked } = await registry(t, {});
  const { out } = await bundle('v1.13.2', '--registry', os, '--overlays=false', '--extensions=false');
  t.is(out.split('\n')[0], `${os}/installer:v1.13.2`);
  t.is(out.trim().split('\n').length, 7);
  t.deepEqual(asked, []);
});

test('what is no version, or of a release that nobody knows, is refused', async (t) => {
  const flags = ['--registry', 'r.example/os', '--overlays=false', '--extensions=false'];
  for (const [given, words] of [
    ['1.14.0', /invalid tag "1\.14\.0": must have "v" prefix/u],
    ['v1.14', /invalid tag "v1\.14": no version/u],
    ['v1.10.9', /from v1\.11\.0-alpha\.0 to before v1\.15\.0-alpha\.0/u],
    ['v1.15.0-alpha.0', /to before v1\.15/u],
  ] as const) {
    const { code, out, error } = await bundle(given, ...flags);
    t.deepEqual([code, out], [2, ''], given);
    t.regex(error, words);
  }
  t.is((await bundle(version)).code, 2, 'nobody says where they are');
});

test('a list that names an image without its digest, or anything else, is refused with its line; and nothing is printed', async (t) => {
  for (const [list, words] of [
    [
      `r.example/a:1@${digest('a')}\nr.example/b:1\n`,
      /extensions:v1\.14\.0-alpha\.0, image-digests:2: no digest/u,
    ],
    ['\u001b[2J\n', /image-digests:1: no reference of an image/u],
    [undefined, /has no file image-digests/u],
  ] as const) {
    const { registry: os } = await registry(t, { extensions: { ...(list !== undefined && { list }) } });
    const { code, out, error } = await bundle(version, '--registry', os, '--overlays=false');
    t.not(code, 0);
    t.is(out, '');
    t.regex(error, words);
    t.false(error.includes('\u001b'));
  }
  const { registry: empty } = await registry(t, {});
  t.is((await bundle(version, '--registry', empty)).code, 3, 'there is no such release');
});
