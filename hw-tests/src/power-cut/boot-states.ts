import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { truncate } from 'node:fs/promises';
import { promisify } from 'node:util';

import { parseEntryName } from '@nodecore/boot';

import { CrashImages, crashStates, type CrashState, WriteRecord } from '../log-writes/index.ts';

const run = promisify(execFile);
const directory = '::/EFI/Linux';
const env = { ...process.env, MTOOLS_SKIP_CHECK: '1' };

/** What the menu of an EFI partition would start: hex SHA-256 of each entry, by its name. Half-written ones have no such name. */
export async function menuOf(image: string): Promise<ReadonlyMap<string, string>> {
  const at = `${image}@@1M`;
  const { stdout } = await run('mdir', ['-i', at, '-b', directory], { env });
  const names = stdout
    .split('\n')
    .map((path) => path.trim().replace(/^.*\//, ''))
    .filter((name) => parseEntryName(name) !== undefined);
  const found = new Map<string, string>();
  for (const name of names) {
    const options = { encoding: 'buffer', maxBuffer: 1 << 30, env } as const;
    const file = await run('mtype', ['-i', at, `${directory}/${name}`], options);
    found.set(name, createHash('sha256').update(file.stdout).digest('hex'));
  }
  return found;
}

/** A recorded change of a boot partition. */
export type RecordedChange = {
  /** The disk before the record. */
  readonly base: string;
  readonly record: string;
  readonly deviceBytes: number;
  /** The boot partition, and nothing else that matters, lies before this. */
  readonly endBytes: number;
  /** Place in the record from which on every state is looked at. */
  readonly from: number;
  /** A directory for images. */
  readonly work: string;
  /** What would be started from an image; {@link menuOf} by default. */
  readonly readMenu?: typeof menuOf;
};

/**
 * Looks at a boot partition in every state that a cut may leave it in from a place of its record on, or as many as `choose` takes.
 *
 * @returns how many were looked at
 */
export async function eachBootState(
  { base, record: file, deviceBytes, endBytes, from, work, readMenu = menuOf }: RecordedChange,
  choose: (states: readonly CrashState[]) => readonly CrashState[],
  look: (menu: ReadonlyMap<string, string>, state: CrashState) => void,
): Promise<number> {
  await using record = await WriteRecord.open(file, { deviceBytes, mayBeTorn: true });
  const isOurs = ({ offset }: { readonly offset: number }): boolean => offset < endBytes;
  const entries = record.entries.filter((entry) => entry.index >= from && (entry.flush || isOurs(entry)));
  const states = choose(crashStates(entries));
  const [start, state] = [`${work}/start.raw`, `${work}/state.raw`];
  await run('cp', ['--sparse=always', base, start]);
  await truncate(start, endBytes);
  await using images = await CrashImages.open(record, { base: start, working: `${work}/working.raw` });
  for (const each of states) {
    await images.build(each, state);
    look(await readMenu(state), each);
  }
  return states.length;
}
