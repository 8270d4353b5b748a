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

/** What a kernel that crashed, or PID 1 that gave up, has left. */
export type CrashReport = BootFailure & {
  /** Its files, which take room in the firmware until they are removed. */
  readonly files: readonly string[];
};

/** PID 1 says it last (`native/init/reason.cc`); behind it there is only how the kernel stops its devices. */
const givenUp = /^init: this boot has failed: (?<why>.+)$/u;

/**
 * Reads what the last kernel that crashed has left, or the last PID 1 that gave its boot up; undefined when none did, or the machine
 * keeps nothing.
 *
 * @param directory of pstore(5); another one in tests.
 */
export async function readCrashReport(directory: string = crashReports): Promise<CrashReport | undefined> {
  const names = await list(directory);
  const parts = await Promise.all(names.map((name) => readPart(join(directory, name))));
  const reports = Map.groupBy(
    parts.filter((part) => part !== undefined),
    ({ kind, crash }) => `${kind}#${crash}`,
  );
  // Of several crashes the last one.
  const last = [...reports.values()]
    .flatMap((report) => failureOf(report) ?? [])
    .toSorted((one, other) => other.crash - one.crash)[0];
  if (last === undefined) return undefined;
  const { reason, log } = last;
  return { reason, log, files: names.map((name) => join(directory, name)) };
}

/** Undefined for the log of a system that was shut down and whose command line has the kernel keep it always. */
function failureOf(parts: readonly Part[]): Failure | undefined {
  // They count backwards in time.
  const text = parts.toSorted((one, other) => other.part - one.part).map((part) => part.text);
  const lines = text
    .join('')
    .split('\n')
    .map(plain)
    .filter((line) => line !== '');
  const { kind, crash = 0 } = parts[0] ?? {};
  const why = lines.findLastIndex((line) => givenUp.test(line));
  if (why !== -1)
    return {
      crash,
      reason: `its first process gave up: ${givenUp.exec(lines[why] ?? '')?.groups?.['why']}`,
      log: lines.slice(Math.max(0, why + 1 - keptLines), why + 1).join('\n'),
    };
  if (kind === 'Shutdown') return undefined;
  const at = lines.findLastIndex((line) => /Kernel panic - not syncing|Oops|BUG:/u.test(line));
  const first = Math.max(0, Math.min(lines.length - keptLines, at === -1 ? Infinity : at - linesBefore));
  return {
    crash,
    reason: at === -1 ? 'its kernel crashed' : `its kernel crashed: ${lines[at]}`,
    log: lines.slice(first, first + keptLines).join('\n'),
  };
}

/** Makes room for the next one. */
export async function removeCrashReport({ files }: CrashReport): Promise<void> {
  for (const file of files) await rm(file, { force: true });
}

type Failure = Required<BootFailure> & { readonly crash: number };

type Part = { readonly kind: string; readonly crash: number; readonly part: number; readonly text: string };

/** `Panic#1 Part3`, and lines of the log behind it. Undefined for what is none, or can't be read. */
async function readPart(path: string): Promise<Part | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined || bytes.length > longestBytes) return undefined;
  const [head = '', ...rest] = bytes.toString('latin1').split('\n');
  const match = /^(?<kind>Panic|Oops|Emergency|Shutdown)#(?<crash>\d{1,9}) Part(?<part>\d{1,9})/u.exec(
    head,
  )?.groups;
  if (match === undefined) return undefined;
  const { kind = '', crash, part } = match;
  return { kind, crash: Number(crash), part: Number(part), text: `${rest.join('\n')}\n` };
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
