import { needsOwnProcess } from './groups/needs-own-process.ts';
import { filesOf, type Rung, type RungFiles, rungs } from './rungs.ts';
import { longestFirst } from './shards.ts';
import type { TestRun } from './test-run.ts';
import type { TestTimes } from './test-times.ts';

/** Something that one processor is busy with, for about so long. */
export type Job = { readonly name: string; readonly seconds: number; readonly run: () => Promise<void> };

/** Seconds that a file takes of which nothing is known. */
const guesses: Readonly<Record<Rung, number>> = { unit: 1, root: 8, vm: 60, fault: 60 };
/** So much is worth a start of ava; short against a whole run, so that the last batches end together. */
const batchSeconds = 20;
const maxBatches = 8;
/** So many files are worth a process that they share. */
const worthSharing = 4;

/** What a run does: `lanes` are processors' work, the longest first; `root` goes beside it. */
export type Plan = { readonly lanes: readonly Job[]; readonly root: readonly Job[] };

export function secondsIn(times: TestTimes, rung: Rung): (file: string) => number {
  return (file) => times.seconds(file, guesses[rung]);
}

/** Divides files among jobs. */
export function plan(checkout: string, files: readonly string[], times: TestTimes, run: TestRun): Plan {
  const of = (rung: Rung): RungFiles => filesOf(rung, files, []);
  const lanes = [
    ...unitJobs(checkout, of('unit'), times, run),
    ...machineJobs([of('fault'), of('vm')], times, run),
  ];
  return {
    lanes: lanes.toSorted((one, other) => other.seconds - one.seconds),
    root: rootJobs(of('root'), times, run),
  };
}

function unitJobs(checkout: string, { host }: RungFiles, times: TestTimes, run: TestRun): Job[] {
  const secondsOf = secondsIn(times, 'unit');
  // One that nobody has seen yet is watched alone first.
  const canShare = (file: string): boolean =>
    times.of(file) !== undefined &&
    times.of(file)?.needs === undefined &&
    needsOwnProcess(checkout, file) === undefined;
  const sharing = host.filter(canShare);
  const isWorth = sharing.length >= worthSharing;
  const alone = isWorth ? host.filter((file) => !sharing.includes(file)) : host;
  const total = alone.reduce((sum, file) => sum + secondsOf(file), 0);
  const batches = Math.min(maxBatches, Math.max(2, Math.ceil(total / batchSeconds)));
  const job = (
    name: string,
    files: readonly string[],
    start: (files: readonly string[]) => Promise<void>,
  ): Job => {
    const seconds = files.reduce((sum, file) => sum + secondsOf(file), 1);
    return { name: `unit, ${files.length} files ${name}`, seconds, run: () => start(files) };
  };
  return [
    ...deal(isWorth ? sharing : [], sharing.length < 2 * worthSharing ? 1 : 2, secondsOf).map((part) =>
      job('that share a process', part, (files) => run.shared(files)),
    ),
    ...deal(alone, batches, secondsOf).map((part) => job('one by one', part, (files) => run.ava(files))),
  ];
}

/** One job: loop devices are few, so its files run one after the other. */
function rootJobs({ host, network }: RungFiles, times: TestTimes, run: TestRun): Job[] {
  if (host.length + network.length === 0) return [];
  const seconds = [...host, ...network].map(secondsIn(times, 'root')).reduce((sum, each) => sum + each, 0);
  const job = async (): Promise<void> => {
    await run.ava(host);
    for (const file of network) await run.network(file);
  };
  return [{ name: 'as root', seconds, run: job }];
}

/**
 * An emulated machine keeps one processor busy. Each package has one of its own: what tests of another one did to the kernel
 * and to the disks is not carried on, and two run side by side.
 */
function machineJobs(parts: readonly RungFiles[], times: TestTimes, run: TestRun): Job[] {
  const secondsOf = secondsIn(times, 'vm');
  const guests = Map.groupBy(
    parts.flatMap((part) => part.guest),
    packageOf,
  );
  const inside = [...guests].map(([name, files]) => {
    const seconds = files.reduce((sum, file) => sum + secondsOf(file), 0);
    return { name: `inside a machine: ${name}`, seconds, run: () => run.inside(files) };
  });
  const host = parts.flatMap((part) => part.host);
  return [
    ...inside,
    ...host.map((file) => ({ name: file, seconds: secondsOf(file), run: () => run.ava([file]) })),
  ];
}

/** `storage/luks` of `packages/storage/luks/test/open.vm.test.ts`. */
function packageOf(file: string): string {
  return file.split('/').slice(1, 3).join('/');
}

/** Deals files out to at most `count` parts of about the same length, the longest file of each first. */
function deal(files: readonly string[], count: number, secondsOf: (file: string) => number): string[][] {
  const parts = Array.from({ length: Math.min(count, files.length) }, () => ({
    seconds: 0,
    files: [] as string[],
  }));
  for (const file of longestFirst(files, secondsOf)) {
    const least = parts.reduce((best, part) => (part.seconds < best.seconds ? part : best), parts[0]!);
    least.files.push(file);
    least.seconds += secondsOf(file);
  }
  return parts.map((part) => part.files);
}

/** The files of the chosen rungs that match every word. */
export function chooseFiles(
  files: readonly string[],
  chosen: readonly Rung[],
  words: readonly string[],
): string[] {
  return rungs
    .filter((rung) => chosen.includes(rung))
    .flatMap((rung) => Object.values(filesOf(rung, files, words)).flat());
}
