import { spawn } from 'node:child_process';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { buildRelease } from '@nodecore/release';

/** The factory as a program. */
export const factoryProgram: string = fileURLToPath(
  new URL('../../../packages/apps/factory/bin/nodecore-factory.js', import.meta.url),
);
const version = 'v1.14.0-alpha.0';
const root = 'amd64/base.sqsh';
const rootMib = 190;

/** A directory of releases with one that is signed by a key of its own. */
export type LargeRelease = { readonly releases: string; readonly key: string };

/** The release of this checkout with a root that makes an image of 200 MB of it. */
export async function largeRelease(place: string): Promise<LargeRelease> {
  const { directory } = await buildRelease({ version });
  const releases = join(place, 'releases');
  const copy = join(releases, version);
  await mkdir(releases);
  await cp(directory, copy, { recursive: true });
  const hash = createHash('sha256');
  await rm(join(copy, root));
  await using file = await open(join(copy, root), 'w');
  for (let mib = 0; mib < rootMib; mib += 1) {
    const bytes = randomBytes(1 << 20);
    hash.update(bytes);
    await file.write(bytes);
  }
  const release = JSON.parse(await readFile(join(copy, 'release.json'), 'utf8')) as {
    readonly files: object;
  };
  const files = { ...release.files, [root]: { size: rootMib << 20, sha256: hash.digest('hex') } };
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const bytes = Buffer.from(JSON.stringify({ ...release, files }));
  await writeFile(join(copy, 'release.json'), bytes);
  await writeFile(join(copy, 'release.json.sig'), sign(null, bytes, privateKey));
  const key = join(place, 'release.pub');
  await writeFile(key, publicKey.export({ type: 'spki', format: 'pem' }));
  return { releases, key };
}

/** A factory in a process of its own, which ends with the stack. */
export type ServingFactory = {
  readonly pid: number;
  /** Of the factory. */
  readonly url: string;
  /** Of an image of 200 MB. */
  readonly image: string;
};

export async function startServing(
  stack: AsyncDisposableStack,
  release: LargeRelease,
  storage: string,
): Promise<ServingFactory> {
  const { pid, url } = await startFactoryProgram(stack, release, storage);
  const answer = await fetch(`${url}/schematics`, { method: 'POST', body: '{}' });
  const { id } = (await answer.json()) as { readonly id: string };
  return { pid, url, image: `${url}/image/${id}/${version}/metal-amd64-uki.efi` };
}

/** @param more flags of the program. */
export async function startFactoryProgram(
  stack: AsyncDisposableStack,
  { releases, key }: LargeRelease,
  storage: string,
  more: readonly string[] = [],
): Promise<Omit<ServingFactory, 'image'>> {
  const flags = ['--releases', releases, '--release-key', key, '--storage', storage, ...more];
  const child = spawn(process.execPath, [factoryProgram, 'serve', '--listen', '127.0.0.1:0', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  stack.defer(async () => {
    child.kill();
    await ended;
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { pid: child.pid ?? 0, url: /at (http\S+) /.exec(line)?.[1] ?? '' };
}
