import type { Process, ProcessesResponse } from '../../gen/nodecore-v1.js';

/** A process with the share of one processor that it has used since the sample before. */
export type Sampled = Process & { readonly cpuPercent?: number };

/** Puts the answers of one call together to samples. */
export class Samples {
  #processes: Process[] = [];
  #before: { readonly clockMicros: bigint; readonly cpu: ReadonlyMap<string, number> } | undefined;

  /** The sample that an answer completes. */
  add({ processes, complete, clockMicros }: ProcessesResponse): readonly Sampled[] | undefined {
    this.#processes.push(...processes);
    if (!complete) return undefined;
    const all = this.#processes;
    const before = this.#before;
    this.#processes = [];
    this.#before = { clockMicros, cpu: new Map(all.map((each) => [keyOf(each), each.cpuTime])) };
    if (before === undefined) return all;
    const seconds = Number(clockMicros - before.clockMicros) / 1e6;
    return all.map((each) => {
      const cpuTime = before.cpu.get(keyOf(each));
      // Who was not there before has used all that it has since then.
      const used = cpuTime === undefined ? each.cpuTime : each.cpuTime - cpuTime;
      return seconds > 0 ? { ...each, cpuPercent: Math.max(0, (used / seconds) * 100) } : each;
    });
  }
}

/** A number that is given to another process is another process. */
function keyOf({ pid, startMicros }: Process): string {
  return `${pid} ${startMicros}`;
}
