import { createHash } from 'node:crypto';

import { releaseVersion, stringifyJson } from '@nodecore/sys/pure';

import { errorLines } from '../error-lines.ts';
import type { Target } from '../nodes/target.ts';
import { type Ask, type Collector, collectorsOf, largestEntry } from './collectors.ts';
import { redactText } from './redact.ts';
import { ZipWriter } from './zip-writer.ts';

/** Something that could not be had; the archive goes without it. */
export type Missing = { readonly source: string; readonly error: string };

/** What became of the archive of a node. */
export type Bundle = {
  readonly file: string;
  readonly bytes: number;
  readonly entries: number;
  readonly errors: readonly Missing[];
};

export type BundleOptions = {
  readonly path: string;
  /** How many things the node is asked for at the same time. */
  readonly workers: number;
  /** So many things of so many are asked for. */
  readonly tell: (done: number, total: number) => void;
  readonly signal: AbortSignal;
};

/** What takes longer is left out, and said. */
const collectMs = 60_000;

type Entry = { readonly file: string; readonly bytes: number; readonly sha256: string };

/**
 * Asks a node for everything, and writes it to a new archive. What is not to be had is in the list of errors.
 *
 * @throws {OutputError} for a file that is there; {ApiError} for a node that does not answer, of which no file is left.
 */
export async function writeBundle(target: Target, options: BundleOptions): Promise<Bundle> {
  const { path } = options;
  const zip = await ZipWriter.create(path);
  try {
    const { entries, errors } = await addNode(target, zip, options);
    await zip.finish();
    return { file: path, bytes: zip.bytes, entries, errors };
  } catch (error) {
    await zip.abort();
    throw error;
  }
}

/** Asks a node for everything, and adds it to an archive that nobody else adds to meanwhile. What is not to be had is in the list of errors. */
export async function addNode(
  target: Target,
  zip: Pick<ZipWriter, 'add'>,
  options: Omit<BundleOptions, 'path'>,
): Promise<Pick<Bundle, 'entries' | 'errors'>> {
  const { client, node, name } = target;
  const ask: Ask = { client, name, options: { node, signal: options.signal, timeoutMs: collectMs } };
  const collectors = await collectorsOf(ask);
  const { entries, errors } = await collectAll(collectors, ask, zip, options);
  const manifest = {
    node: name,
    osctl: releaseVersion,
    created: new Date().toISOString(),
    entries: entries.toSorted((a, b) => (a.file < b.file ? -1 : 1)),
    errors,
  };
  await zip.add('manifest.json', Buffer.from(`${stringifyJson(manifest, 2)}\n`));
  return { entries: entries.length + 1, errors };
}

async function collectAll(
  collectors: readonly Collector[],
  ask: Ask,
  zip: Pick<ZipWriter, 'add'>,
  { workers, tell, signal }: Omit<BundleOptions, 'path'>,
): Promise<{ readonly entries: readonly Entry[]; readonly errors: readonly Missing[] }> {
  const entries: Entry[] = [];
  const errors: Missing[] = [];
  const names = uniqueNames(collectors);
  const queue = collectors.entries();
  let done = 0;
  let writing = Promise.resolve();
  const write = (file: string, content: Uint8Array): Promise<void> => {
    writing = writing.then(() => zip.add(file, content));
    return writing;
  };
  const work = async (): Promise<void> => {
    for (const [index, collector] of queue) {
      const { file: source } = collector;
      const file = names[index] ?? source;
      const got = await collected(collector, ask);
      signal.throwIfAborted();
      if ('error' in got) errors.push({ source, error: got.error });
      else {
        if (got.cut) errors.push({ source, error: `larger than ${largestEntry >> 20} MiB: cut there` });
        entries.push({
          file,
          bytes: got.content.length,
          sha256: createHash('sha256').update(got.content).digest('hex'),
        });
        await write(file, got.content);
      }
      done += 1;
      tell(done, collectors.length);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return { entries, errors };
}

type Collected = { readonly content: Uint8Array; readonly cut: boolean } | { readonly error: string };

async function collected({ collect }: Collector, ask: Ask): Promise<Collected> {
  try {
    const found = await collect(ask);
    const text = typeof found === 'string' ? found : Buffer.from(found).toString('utf8');
    const content = Buffer.from(redactText(text));
    return { content: content.subarray(0, largestEntry), cut: content.length > largestEntry };
  } catch (error) {
    // Whatever it is: all the others are worth having.
    return { error: errorLines(error)[0] ?? '' };
  }
}

/** Names from a node name no place outside of the archive, and nothing twice. */
function uniqueNames(collectors: readonly Collector[]): readonly string[] {
  const taken = new Set<string>();
  return collectors.map(({ file }) => {
    const name = safeName(file);
    let free = name;
    for (let next = 2; taken.has(free); next += 1) free = `${name}.${next}`;
    taken.add(free);
    return free;
  });
}

function safeName(source: string): string {
  const parts = source.split('/').map((part) => part.replaceAll(/[^\w.@-]/gu, '_').replace(/^\.+/u, '_'));
  const [directory = '', ...rest] = parts;
  return rest.length === 0 ? directory : `${directory}/${rest.join('_')}`;
}
