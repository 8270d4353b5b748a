import { addon } from './addon.ts';
import { translated } from './errors.ts';
import { Question } from './question.ts';
import { Rows } from './rows.ts';

/** A process, or a thread of the kernel, as `/proc` shows it (proc_pid_stat(5)). */
export type ProcessFacts = {
  readonly pid: number;
  /** 0: none that is seen here. */
  readonly ppid: number;
  /** `R`, `S`, `D`, `Z`, `T`, … */
  readonly state: string;
  readonly threads: number;
  /** Of all its threads. */
  readonly cpuSeconds: number;
  readonly virtualBytes: number;
  readonly residentBytes: number;
  readonly uid: number;
  /** From the boot to its start; with the number it tells one process from another that has the number later. */
  readonly startMicros: number;
  readonly isKernelThread: boolean;
  readonly nice: number;
  /** The name that it gives itself: any bytes, 15 at most. What is no UTF-8 in texts is U+FFFD. */
  readonly command: string;
  /** `''` where there is none, and where we may not see it. */
  readonly executable: string;
  /** After 32 KiB cut. */
  readonly args: readonly string[];
  /** Of the security module; `''` without one. */
  readonly label: string;
  /** Below the root of cgroup v2; `''` without it. */
  readonly cgroup: string;
};

export type ReadProcessesOptions = {
  /** Another `/proc`, such as that of a PID namespace. */
  readonly directory?: string;
  readonly signal?: AbortSignal;
};

const shape = { numbers: 11, texts: 5 };

/**
 * Every process, by number, read by a thread of the addon. One that ends while it is read is left out, and what is said of a number
 * belongs to one process. What other users' processes are is told only to root.
 *
 * @throws {NativeError} EBUSY when eight such questions wait for the kernel.
 */
export async function readProcesses({ directory = '/proc', signal }: ReadProcessesOptions = {}): Promise<
  Rows<ProcessFacts>
> {
  const { Processes } = addon();
  const question = new Question(
    translated(directory, () => new Processes(directory)),
    directory,
  );
  return new Rows(await question.answer(signal), shape, factsOf);
}

function factsOf(numbers: Float64Array, texts: readonly Buffer[]): ProcessFacts {
  const [pid = 0, ppid = 0, state = 0, threads = 0, cpuSeconds = 0, virtualBytes = 0, residentBytes = 0] =
    numbers;
  const [uid = 0, startMicros = 0, kernelThread = 0, nice = 0] = numbers.subarray(7);
  const [command = '', executable = '', args = '', label = '', cgroup = ''] = texts.map((text) =>
    text.toString(),
  );
  return {
    pid,
    ppid,
    state: String.fromCharCode(state),
    threads,
    cpuSeconds,
    virtualBytes,
    residentBytes,
    uid,
    startMicros: Math.round(startMicros),
    isKernelThread: kernelThread === 1,
    nice,
    command,
    executable,
    args: argumentsOf(args),
    label,
    cgroup,
  };
}

/** A NUL ends each of them; who has written over them may have left some out. */
function argumentsOf(text: string): readonly string[] {
  const trimmed = text.replace(/\0+$/u, '');
  return trimmed === '' ? [] : trimmed.split('\0');
}
