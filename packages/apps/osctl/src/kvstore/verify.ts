import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { formatObjects, print, readFormat, Table, type Terminal } from '@nodecore/cli';
import type { Rehearsal } from '@nodecore/kvstore/rehearsal';
import type { KvstoreError, SnapshotInfo } from '@nodecore/kvstore/verify';
import { CodedError, type ErrorKind, codeOf } from '@nodecore/sys/pure';

export type Flags = {
  readonly output: string;
  readonly skipHashCheck?: true;
  readonly rehearse?: true;
  readonly etcd?: string;
  readonly etcdutl?: string;
};

/** What was found out about one file, as -o json and yaml show it. */
type Verified = {
  readonly path: string;
  /** `no-digest`: its structure is sound, and whether its values are what they were nobody can tell. */
  readonly verdict:
    | 'valid'
    | 'no-digest'
    | 'damaged'
    | 'digest'
    | 'truncated'
    | 'foreign'
    | 'not-restorable'
    | 'unreadable';
  readonly code?: string;
  readonly page?: bigint;
  readonly message?: string;
  readonly info?: Omit<SnapshotInfo, 'digest'>;
  /** Where a member was started with a copy of it. */
  readonly rehearsal?: Omit<Rehearsal, 'info'>;
};

/**
 * Proves snapshots that are files here, without any node. Of a directory all that end with `.db`; what it leaves out it says.
 *
 * @throws {FilesError} when one of them is not proven; the error of the file itself where there is one only.
 */
export async function verifyFiles(paths: readonly string[], flags: Flags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  const files = (await Promise.all(paths.map((path) => filesOf(path, terminal)))).flat();
  const verified: { readonly result: Verified; readonly error: KvstoreError | undefined }[] = [];
  for (const path of files) verified.push(await verify(path, flags, terminal));
  const results = verified.map(({ result }) => result);
  if (format.kind !== 'table')
    await print(terminal.out, await formatObjects(results, format, { single: false }));
  else if (results.length > 0) await print(terminal.out, table(results));
  const failed = verified.filter(({ result }) => !isProven(result, flags));
  const [first] = failed;
  if (first === undefined && files.length > 0) return;
  if (files.length === 1 && first?.error !== undefined)
    throw first.error.code === 'ERR_KVSTORE_NOT_FOUND'
      ? new FilesError(0, 0, first.error.message)
      : first.error;
  throw new FilesError(failed.length, files.length);
}

/** There are no files, or some are not proven; what is wrong with each was printed. */
export class FilesError extends CodedError<'ERR_FILES' | 'ERR_NO_FILES' | 'ERR_PARTIAL'> {
  constructor(failed: number, total: number, why = 'there is no snapshot') {
    const words = `${failed} of ${total} ${total === 1 ? 'file is' : 'files are'} not proven`;
    if (total === 0) super('ERR_NO_FILES', why);
    else super(failed === total ? 'ERR_FILES' : 'ERR_PARTIAL', words);
  }

  override get kind(): ErrorKind {
    return this.code === 'ERR_NO_FILES' ? 'not-found' : 'refused';
  }

  static {
    this.prototype.name = 'FilesError';
  }
}

async function filesOf(path: string, terminal: Terminal): Promise<readonly string[]> {
  if (!(await isDirectory(path))) return [path];
  const entries = (await readdir(path, { withFileTypes: true })).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  const taken = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.db'));
  const left = entries.filter((entry) => !taken.includes(entry)).map(({ name }) => name);
  if (left.length > 0)
    await print(
      terminal.error,
      `${path}: not looked at, for no file whose name ends with .db: ${left.join(', ')}\n`,
    );
  return taken.map(({ name }) => join(path, name));
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false; // told of as a file
  }
}

async function verify(
  path: string,
  { skipHashCheck, rehearse, etcd, etcdutl }: Flags,
  { signal }: Terminal,
): Promise<{ readonly result: Verified; readonly error: KvstoreError | undefined }> {
  const { isKvstoreError, verifySnapshot } = await import('@nodecore/kvstore/verify');
  try {
    const { digest, ...info } = await verifySnapshot(path, { skipDigest: skipHashCheck === true, signal });
    const verdict = digest === 'valid' ? 'valid' : digest === 'absent' ? 'no-digest' : 'digest';
    const result = { path, verdict, info } as const;
    if (rehearse !== true || (verdict !== 'valid' && skipHashCheck !== true))
      return { result, error: undefined };
    const { rehearseRestore } = await import('@nodecore/kvstore/rehearsal');
    const wish = {
      file: path,
      sha256: info.sha256,
      skipHashCheck: skipHashCheck === true,
      etcd,
      etcdutl,
      signal,
    };
    const { info: _same, ...rehearsal } = await rehearseRestore(wish);
    return { result: { ...result, rehearsal }, error: undefined };
  } catch (error) {
    if (!isKvstoreError(error)) throw error;
    const { code, page } = error;
    const message = error.message.startsWith(`${path}: `)
      ? error.message.slice(path.length + 2)
      : error.message;
    const verdict = verdicts[code] ?? (rehearse === true ? 'not-restorable' : 'unreadable');
    return { result: { path, verdict, code, ...(page !== undefined && { page }), message }, error };
  }
}

const verdicts: Readonly<Partial<Record<string, Verified['verdict']>>> = {
  ERR_KVSTORE_SNAPSHOT_DAMAGED: 'damaged',
  ERR_KVSTORE_SNAPSHOT_DIGEST: 'digest',
  ERR_KVSTORE_SNAPSHOT_TRUNCATED: 'truncated',
  ERR_KVSTORE_SNAPSHOT_FOREIGN: 'foreign',
};

function isProven({ verdict, info }: Verified, { skipHashCheck }: Flags): boolean {
  return verdict === 'valid' || (skipHashCheck === true && info !== undefined);
}

function table(results: readonly Verified[]): string {
  const header = new Table(['file', 'verdict', 'hash', 'revision', 'total keys', 'total size', 'details']);
  return header.format(
    results.map(({ path, verdict, info, rehearsal, message = detailsOf(verdict, rehearsal) }) => [
      path,
      verdict,
      info === undefined ? '' : info.hash.toString(16).padStart(8, '0'),
      `${info?.revision ?? ''}`,
      `${info?.totalKeys ?? ''}`,
      `${info?.totalBytes ?? ''}`,
      message,
    ]),
  );
}

function detailsOf(verdict: Verified['verdict'], rehearsal: Verified['rehearsal']): string {
  const words = [];
  if (verdict === 'no-digest')
    words.push('copied out of a data directory? its structure is sound, its values are not proven');
  if (verdict === 'digest') words.push('its content is not what etcd sent');
  if (rehearsal !== undefined) {
    const [restore, start] = [rehearsal.restoreMs, rehearsal.startMs].map((ms) => (ms / 1000).toFixed(1));
    words.push(`restored in ${restore} s, etcd ${rehearsal.version} answered ${start} s later`);
  }
  return words.join('; ');
}
