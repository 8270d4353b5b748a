import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { CopyReport, FileBatch, FileUsageBatch } from '@nodecore/api/file';
import {
  archiveFiles,
  listFiles,
  type ListingOptions,
  measureFiles,
  readContent,
  type UsageOptions,
} from '@nodecore/native/files';
import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

export const bytes = (text: string): Buffer => Buffer.from(text);

/** A tree with one of everything. */
export async function tree(t: ExecutionContext): Promise<string> {
  const root = await temporaryDirectory(t);
  mkdirSync(join(root, 'a/b/c'), { recursive: true });
  mkdirSync(join(root, 'empty'));
  writeFileSync(join(root, 'a/small'), 'small\n', { mode: 0o640 });
  writeFileSync(join(root, 'a/b/large'), Buffer.alloc(700_000, 'x'));
  writeFileSync(join(root, 'a/b/none'), '');
  linkSync(join(root, 'a/b/large'), join(root, 'a/b/c/again'));
  symlinkSync('../nowhere', join(root, 'a/link'));
  symlinkSync('b', join(root, 'a/inside'));
  writeFileSync(Buffer.concat([bytes(`${root}/new\nline \u001b[31m`), Buffer.of(0xff)]), 'odd');
  writeFileSync(join(root, 'n'.repeat(120)), 'long');
  mkdirSync(join(root, 'd'.repeat(200), 'e'.repeat(200)), { recursive: true });
  writeFileSync(join(root, 'd'.repeat(200), 'e'.repeat(200), 'deep'), 'deep');
  utimesSync(join(root, 'a/small'), 1_000_000_000.5, 1_000_000_000.5);
  execFileSync('mkfifo', [join(root, 'pipe')]);
  const server = createServer().listen(join(root, 'socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  t.teardown(() => server.close());
  return root;
}

/** Entries and failures of a listing. */
export async function listed(options: Omit<ListingOptions, 'root'> & { readonly root: string }) {
  const batches: FileBatch[] = [];
  for await (const piece of listFiles({ ...options, root: bytes(options.root) }))
    batches.push(FileBatch.decode(piece.bytes));
  return {
    entries: batches.flatMap(({ entries }) => entries),
    failures: batches.flatMap(({ failures }) => failures),
  };
}

/** Rows and failures of a measurement. */
export async function measured(options: Omit<UsageOptions, 'roots'> & { readonly roots: readonly string[] }) {
  const batches: FileUsageBatch[] = [];
  for await (const piece of measureFiles({ ...options, roots: options.roots.map(bytes) }))
    batches.push(FileUsageBatch.decode(piece.bytes));
  return {
    rows: batches.flatMap(({ rows }) => rows),
    failures: batches.flatMap(({ failures }) => failures),
  };
}

/** A whole archive, and what could not be in it. */
export async function archived(root: string): Promise<{ readonly tar: Buffer; readonly report: CopyReport }> {
  const parts: Uint8Array[] = [];
  let report: Uint8Array | undefined;
  for await (const piece of archiveFiles({ root: bytes(root) })) {
    parts.push(piece.bytes);
    report = piece.report ?? report;
  }
  return { tar: Buffer.concat(parts), report: CopyReport.decode(report!) };
}

/** What a file holds, a byte a character. */
export async function content(
  path: string,
  options: { offset?: number; length?: number } = {},
): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const piece of readContent({ path: bytes(path), ...options })) parts.push(piece.bytes);
  return Buffer.concat(parts).toString('latin1');
}

export const latin = (name: Uint8Array): string => Buffer.from(name).toString('latin1');
