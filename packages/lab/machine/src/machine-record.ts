import { readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

import {
  codeOf,
  isRunning,
  isSameFile,
  killExactly,
  parseIdentity,
  type ProcessIdentity,
  writeFileAtomic,
} from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';

import { MachineError } from './errors.ts';
import { removeShares } from './share-files.ts';

/** Long for what was killed: it gives back its memory. */
const endLimitMs = 10_000;
const pollMs = 10;
const fileName = 'machine.programs';

/** A program of a kept machine, and its name without the path. */
export type RecordedProgram = ProcessIdentity & { readonly name: string };

/** The programs of a kept machine, in a file of its directory, one in a line. */
export class MachineRecord {
  readonly #directory: string;
  #programs: readonly RecordedProgram[];

  private constructor(directory: string, programs: readonly RecordedProgram[]) {
    this.#directory = directory;
    this.#programs = programs;
  }

  /**
   * Reads the record, without what does not run any more. A process counts when its id and start time are those of the
   * record and it works in this very directory: a copy of the directory has a record of the original's machine.
   */
  static async read(directory: string): Promise<MachineRecord> {
    const text = await readFile(join(directory, fileName), 'utf8').catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return '';
      throw error;
    });
    const programs: RecordedProgram[] = [];
    for (const program of parsePrograms(text))
      if (isRunning(program) && (await worksIn(program, directory))) programs.push(program);
    return new MachineRecord(directory, programs);
  }

  /** What runs, in the order in which it was started. */
  get programs(): readonly RecordedProgram[] {
    return this.#programs;
  }

  async add(program: RecordedProgram): Promise<void> {
    this.#programs = [...this.#programs, program];
    const lines = this.#programs.map((each) => JSON.stringify(each));
    await writeFileAtomic(join(this.#directory, fileName), `${lines.join('\n')}\n`);
  }

  /**
   * Kills what still runs, and forgets it when it is gone.
   *
   * @throws {MachineError} `ERR_MACHINE_BUSY` for what does not end.
   */
  async clear(): Promise<void> {
    for (const identity of this.#programs) killExactly(identity);
    const limit = AbortSignal.timeout(endLimitMs);
    for (;;) {
      const left = this.#programs.find(isRunning);
      if (left === undefined) break;
      if (limit.aborted) {
        const why = `${left.name}, process ${left.pid}, was killed and does not end`;
        throw new MachineError('ERR_MACHINE_BUSY', basename(this.#directory), why);
      }
      await systemClock.sleep(pollMs);
    }
    this.#programs = [];
    await rm(join(this.#directory, fileName), { force: true });
  }
}

/** What is no line of ours names no program. */
function parsePrograms(text: string): readonly RecordedProgram[] {
  return text.split('\n').flatMap((line) => {
    const identity = parseIdentity(line);
    if (identity === undefined) return [];
    const { name } = JSON.parse(line) as { readonly name?: unknown };
    return typeof name === 'string' ? [{ ...identity, name }] : [];
  });
}

async function worksIn({ pid }: ProcessIdentity, directory: string): Promise<boolean> {
  try {
    const [its, ours] = await Promise.all(
      [`/proc/${pid}/cwd`, directory].map((path) => stat(path, { bigint: true })),
    );
    return its !== undefined && ours !== undefined && isSameFile(its, ours);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'EACCES') return false; // it ended, or is another user's
    throw error;
  }
}

/** Ends the programs of a kept machine, without its keeper; none is left behind it. A directory without a record is fine. */
export async function endKept(directory: string): Promise<void> {
  const record = await MachineRecord.read(directory);
  await record.clear();
  await removeShares(directory);
}

/** Whether the QEMU of a kept machine runs, or the container that a cluster has in its place; with or without its keeper. */
export async function runsKept(directory: string): Promise<boolean> {
  const { programs } = await MachineRecord.read(directory);
  return programs.some(({ name }) => name.startsWith('qemu-system-') || name === 'container');
}
