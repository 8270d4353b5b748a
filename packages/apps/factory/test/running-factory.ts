import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { dirname, join } from 'node:path';

import {
  type Architecture,
  architectureFiles,
  biosFiles,
  extensionFile,
  formatRelease,
  type Release,
  signRelease,
} from '@nodecore/schematic/release';
import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { sampleGrub } from '../../../image/boot/test/grub/sample-grub.ts';
import { samplePe } from '../../../image/efi/test/sample-pe.ts';
import { type FactoryOptions, type RunningFactory, startFactory } from '../src/index.ts';

/** Contents of a small release. The base layer is large enough that a response does not fit into socket buffers. */
export const contents: Readonly<Record<string, Buffer>> = {
  kernel: samplePe(),
  'initramfs.cpio': Buffer.alloc(10_002, 'initramfs'),
  'base.sqsh': Buffer.alloc(8 << 20, 'a root file system. '),
  'systemd-boot.efi': samplePe(),
  'stub.efi': samplePe(),
  'grub-boot.img': sampleGrub().boot,
  'grub-core.img': sampleGrub().core,
};

/** osctl of that release. */
export const client: Buffer = Buffer.alloc(200_003, 'osctl as one file');

/** What each extension says of itself. */
export const aboutExtension = { version: 'v2', author: 'us', description: 'an extension', extraInfo: '' };

export const releaseKeys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject } =
  generateKeyPairSync('ed25519');

type ReleaseChanges = {
  /** Former names of extensions. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** Only the first has extensions, and machines with a BIOS. */
  readonly architectures?: readonly Architecture[];
};

/**
 * Writes a signed release into a directory of its version; all but the first one carry osctl and GRUB.
 *
 * @param others texts besides, by their path in the release.
 * @returns that directory.
 */
export async function writeRelease(
  releases: string,
  version: string,
  extensions: Readonly<Record<string, Buffer>> = {},
  others: Readonly<Record<string, string>> = {},
  { aliases = {}, architectures = ['amd64'] }: ReleaseChanges = {},
): Promise<string> {
  const directory = join(releases, version);
  const files: Record<string, { size: number; sha256: string }> = {};
  const extensionFiles = Object.entries(extensions).map(
    ([name, content]) => [extensionFile(name), content] as const,
  );
  const isNewer = version !== 'v1.14.0-alpha.0';
  const all = new Map([
    ...[...architectureFiles, ...(isNewer ? biosFiles : [])].map((name) => [name, contents[name]] as const),
    ...extensionFiles,
  ]);
  for (const [index, architecture] of architectures.entries())
    for (const [name, content = Buffer.alloc(0)] of all) {
      const path = `${architecture}/${name}`;
      if (index > 0 && /^(?:extensions\/|grub-)/u.test(name)) continue;
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), content);
      const sha256 = createHash('sha256').update(content).digest('hex');
      files[path] = { size: content.length, sha256 };
    }
  if (isNewer) await mkdir(join(directory, 'osctl'), { recursive: true });
  for (const name of isNewer ? ['osctl-linux-amd64', 'osctl-linux-arm64'] : []) {
    await writeFile(join(directory, 'osctl', name), client);
    const sha256 = createHash('sha256').update(client).digest('hex');
    files[`osctl/${name}`] = { size: client.length, sha256 };
  }
  for (const [path, text] of Object.entries(others)) {
    await mkdir(join(directory, dirname(path)), { recursive: true });
    await writeFile(join(directory, path), text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    files[path] = { size: Buffer.byteLength(text), sha256 };
  }
  const release: Release = {
    layout: 1,
    version,
    channel: 'development',
    created: '2026-11-22T00:00:00Z',
    minimumVersion: 'v1.14.0-alpha.0',
    architectures: Object.fromEntries(
      architectures.map((each, index) => [
        each,
        {
          kernelVersion: `6.1.0-50-${each}`,
          extensions:
            index > 0
              ? {}
              : Object.fromEntries(
                  Object.keys(extensions).map((name) => [
                    name,
                    { ...aboutExtension, ...(aliases[name] && { aliases: aliases[name] }) },
                  ]),
                ),
        },
      ]),
    ),
    files,
  };
  const bytes = Buffer.from(formatRelease(release));
  await writeFile(join(directory, 'release.json'), bytes);
  await writeFile(join(directory, 'release.json.sig'), signRelease(bytes, releaseKeys.privateKey));
  return directory;
}

export type Running = {
  readonly factory: RunningFactory;
  readonly directory: string;
  readonly options: FactoryOptions;
};

/** Options of a factory with two releases in a directory of its own. */
export async function factoryOptions(
  t: ExecutionContext,
): Promise<FactoryOptions & { readonly directory: string }> {
  const directory = await temporaryDirectory(t);
  const releases = join(directory, 'releases');
  for (const version of ['v1.14.0-alpha.0', 'v1.14.0']) await writeRelease(releases, version);
  const key = join(directory, 'release.pub');
  await writeFile(key, releaseKeys.publicKey.export({ type: 'spki', format: 'pem' }));
  return {
    directory,
    releases,
    releaseKeys: [key],
    listen: { host: '127.0.0.1', port: 0 },
    storage: join(directory, 'storage'),
    externalUrl: 'http://factory.example.com/',
  };
}

/** A factory in this process. Ends with the test. */
export async function runningFactory(
  t: ExecutionContext,
  changes: Partial<FactoryOptions> = {},
): Promise<Running> {
  const { directory, ...options } = { ...(await factoryOptions(t)), ...changes };
  const factory = await startFactory(options);
  t.teardown(() => factory.close());
  return { factory, directory, options };
}

export type Answered = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
};

export type Asked = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Asks as the path is written: nothing of it is resolved or decoded on the way. */
export async function ask(
  { factory }: Pick<Running, 'factory'>,
  path: string,
  asked: Asked = {},
): Promise<Answered> {
  const { method = 'GET', headers = {}, body } = asked;
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const { host, port } = factory.address;
  const sent = request({ host, port, path, method, headers, agent: false }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
    );
  });
  sent.on('error', reject);
  sent.end(body);
  return await promise;
}

/** Submits a schematic. @returns its ID. */
export async function submit(running: Running, text: string): Promise<string> {
  const { body } = await ask(running, '/schematics', { method: 'POST', body: text });
  return JSON.parse(body.toString()).id as string;
}

export const defaultSchematic = '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba';
