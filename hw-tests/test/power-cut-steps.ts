import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { startFactory } from '@nodecore/factory';
import { systemClock } from '@nodecore/waiting';

import { cacheDirectory, checkout } from '../src/paths.ts';

/** What a factory finds in a directory of releases. */
export type Seen = { readonly versions: readonly string[]; readonly refused: string };

/** Begins to build a release and kills the build at a random moment. @returns which, in words */
export async function killedBuild(
  output: string,
  version: string,
  { random, signal }: { readonly random: () => number; readonly signal: AbortSignal },
): Promise<string> {
  const steps = ['root', 'squashfs', 'initramfs', 'signing'];
  const step = steps[Math.floor(random() * steps.length)] ?? 'signing';
  const delayMs = random() * 500;
  const main = join(checkout, 'packages/image/release/src/main.ts');
  const argv = ['--conditions=source', main, '--version', version, '--output', output];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    let said = '';
    child.stdout.on('data', (text: Buffer) => (said += text.toString()));
    while (!said.includes(`  ${step}\n`) && child.exitCode === null) await systemClock.sleep(10, signal);
    await systemClock.sleep(delayMs, signal);
    if (child.exitCode !== null) throw new Error(`the build had ended before it was killed: ${said}`);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  return `${delayMs.toFixed(0)} ms after the beginning of its step "${step}"`;
}

/** Opens a factory on a directory of releases, and asks what it offers. */
export async function seenByFactory(releases: string, storage: string): Promise<Seen> {
  const factory = await startFactory({
    releases,
    releaseKeys: [join(cacheDirectory, 'release-keys/release.pub')],
    listen: { host: '127.0.0.1', port: 0 },
    storage,
    externalUrl: 'http://127.0.0.1/',
  });
  const { versions, refused } = factory;
  await factory.close();
  return { versions, refused: refused.join() };
}

/** Kinds and names of a configuration's documents, and whom it lets in: all of them, or it is not complete. */
export function kinds(text: string): string {
  const found = text.match(/kind: VolumeConfig|name: (?:STATE|EPHEMERAL)|acceptedCAs/g) ?? [];
  return [...new Set(found)].sort().join();
}

/** Where the flush is that made so many bytes durable, which were written to the first part of the disk; -1 as long as it is not. */
export function flushedAfter(
  entries: readonly { readonly offset: number; readonly length: number; readonly flush: boolean }[],
  before: number,
  { bytes, endBytes }: { readonly bytes: number; readonly endBytes: number },
): number {
  let written = 0;
  for (const [place, { offset, length, flush }] of entries.entries()) {
    if (place < before) continue;
    if (offset < endBytes) written += length;
    if (flush && written >= bytes) return place;
  }
  return -1;
}

/** An image in a file as large as its disk, with holes where it is blank. @returns the size of the image */
export async function downloaded(
  url: string,
  path: string,
  diskBytes: number,
  signal: AbortSignal,
): Promise<number> {
  const response = await fetch(url, { signal });
  if (!response.ok || response.body === null) throw new Error(`${url}: ${response.status}`);
  await using file = await open(path, 'w', 0o600);
  let at = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    if (!isBlank(chunk)) await file.write(chunk, 0, chunk.length, at);
    at += chunk.length;
  }
  await file.truncate(diskBytes);
  return at;
}

const zeros = Buffer.alloc(1 << 20);

function isBlank(chunk: Uint8Array): boolean {
  return chunk.length <= zeros.length && zeros.subarray(0, chunk.length).equals(chunk);
}
