import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { BootFailure } from '@nodecore/boot';
import { codeOf } from '@nodecore/sys';

/** Where the kernel shows what an earlier one has left, in the variables of the firmware or in memory. */
export const crashReports = '/sys/fs/pstore';

/** As much of a log as is looked at. */
const longestBytes = 1 << 20;
const keptLines = 40;
/** What led there; behind it the kernel writes what it was doing, often for more lines than are kept. */
const linesBefore = 15;

/** What a kernel that crashed has left. */
export type CrashReport = BootFailure & {
  /** Its files, which take room in the firmware until they are removed. */
  readonly files: readonly string[];
};

/**
 * Reads what the last kernel that crashed has left; undefined when none did, or the machine keeps nothing.
 *
 * @param directory of pstore(5); another one in tests.
 */
export async function readCrashReport(directory: string = crashReports): Promise<CrashReport | undefined> {
  const names = await list(directory);
  const parts = await Promise.all(names.map((name) => readPart(join(directory, name))));
  const known = parts.filter((part) => part !== undefined);
  if (known.length === 0) return undefined;
  // Of several crashes the last one, whose parts count backwards in time.
  const last = Math.max(...known.map(({ crash }) => crash));
  const text = known
    .filter(({ crash }) => crash === last)
    .toSorted((one, other) => other.part - one.part)
    .map((part) => part.text)
    .join('');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const at = lines.findLastIndex((line) => /Kernel panic - not syncing|Oops|BUG:/u.test(line));
  const why = lines[at];
  const first = Math.max(0, Math.min(lines.length - keptLines, at === -1 ? Infinity : at - linesBefore));
  return {
    reason: why === undefined ? 'its kernel crashed' : `its kernel crashed: ${plain(why)}`,
    log: lines
      .slice(first, first + keptLines)
      .map(plain)
      .join('\n'),
    files: names.map((name) => join(directory, name)),
  };
}

/** Makes room for the next one. */
export async function removeCrashReport({ files }: CrashReport): Promise<void> {
  for (const file of files) await rm(file, { force: true });
}

type Part = { readonly crash: number; readonly part: number; readonly text: string };

/** `Panic#1 Part3`, and lines of the log behind it. Undefined for what is none, or can't be read. */
async function readPart(path: string): Promise<Part | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined || bytes.length > longestBytes) return undefined;
  const [head = '', ...rest] = bytes.toString('latin1').split('\n');
  const match = /^(?:Panic|Oops|Emergency)#(?<crash>\d{1,9}) Part(?<part>\d{1,9})/u.exec(head)?.groups;
  if (match === undefined) return undefined;
  return { crash: Number(match['crash']), part: Number(match['part']), text: `${rest.join('\n')}\n` };
}

/** Without the kernel's level and time, and without what a terminal would obey. */
function plain(line: string): string {
  return line
    .replace(/^<\d+>/u, '')
    .replace(/^\[\s*\d+\.\d+\]\s*(?:\[\s*[TC]\d+\]\s*)?/u, '')
    .replaceAll(/[^\t -~]/gu, '?')
    .trim();
}

async function list(directory: string): Promise<readonly string[]> {
  try {
    return (await readdir(directory)).filter((name) => name.startsWith('dmesg-')).toSorted();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(codeOf(error) ?? '')) return [];
    throw error;
  }
}
