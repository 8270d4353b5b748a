import { readFileSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { writeFileAtomic } from './atomic-file.ts';

/** A program whose modules were put into one file, as Node.js starts one file sooner than many. */
export type PackedProgram = {
  readonly code: string;
  /** Absolute paths of all that it was made of. */
  readonly sources: readonly string[];
  /** When the first of them was read: milliseconds since 1970. */
  readonly begunMs: number;
};

/** What each file was: names by path. */
type PackRecord = { readonly program: string; readonly sources: Readonly<Record<string, string>> };

const programName = 'program.mjs';
const recordName = 'sources.json';
/** The kernel's clock for files stands still for a tick, of 10 ms at most: what is written twice in one looks the same. */
const tickMs = 10;

/**
 * Where the packed program of a directory is, as long as it and everything that it was made of is what it was: the same file of the same
 * size, neither written nor replaced since. Otherwise undefined, and its sources are what is to be run. Blocks for some microseconds a
 * source.
 */
export function packedProgram(directory: string): string | undefined {
  const path = join(directory, programName);
  const record = readRecord(join(directory, recordName));
  if (record === undefined || record.program !== stateOf(path)) return undefined;
  for (const [source, state] of Object.entries(record.sources))
    if (state !== stateOf(source)) return undefined;
  return path;
}

/**
 * Writes a packed program into a directory, which is made where it is not there; what was there is replaced. Who reads meanwhile, or
 * after a crash, gets the new one or none: what was recorded before is of another file.
 *
 * @returns whether it is there. It is not when a source was written after `begunMs`, or is gone: then which of its states is in the
 *   program is not known.
 */
export async function packProgram(
  directory: string,
  { code, sources, begunMs }: PackedProgram,
): Promise<boolean> {
  const path = join(directory, programName);
  await mkdir(directory, { recursive: true });
  await writeFileAtomic(path, code, { mode: 0o644 });
  const states: Record<string, string> = {};
  for (const source of sources) {
    const state = stateOf(source);
    if (state === undefined || statSync(source).ctimeMs > begunMs - tickMs) return false;
    states[source] = state;
  }
  const content: PackRecord = { program: stateOf(path) ?? '', sources: states };
  await writeFileAtomic(join(directory, recordName), JSON.stringify(content), { mode: 0o644 });
  return true;
}

function readRecord(path: string): PackRecord | undefined {
  try {
    const { program, sources } = JSON.parse(readFileSync(path, 'utf8')) as Partial<PackRecord>;
    return typeof program === 'string' && typeof sources === 'object' && sources !== null
      ? { program, sources }
      : undefined;
  } catch {
    return undefined; // none, or none that was finished: sources are as good, and slower
  }
}

/** Which file it is, and when its bytes and its inode were written last, in nanoseconds; undefined when there is none. */
function stateOf(path: string): string | undefined {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat && `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
  } catch {
    return undefined; // a directory on the way is none any more, or may not be entered
  }
}
