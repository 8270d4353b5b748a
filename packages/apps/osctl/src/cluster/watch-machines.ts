import { callKeeper, type ClusterDirectory, ClusterError, type KeptMachine } from '@nodecore/clusters';
import { systemClock } from '@nodecore/waiting';

/** What the keeper knows of the machines of a cluster, asked for again and again while they are waited for. */
export class MachineWatch implements AsyncDisposable {
  readonly #directory: ClusterDirectory;
  readonly #over = new AbortController();
  readonly #dead = new AbortController();
  readonly #done: Promise<void>;
  #machines: readonly KeptMachine[] = [];

  /** @param pollMs how often it is asked */
  constructor(directory: ClusterDirectory, pollMs: number) {
    this.#directory = directory;
    this.#done = this.#watch(pollMs);
  }

  /** Aborted with `ERR_CLUSTER_MACHINE` and its last lines when one has crashed, and with the error of the keeper when that is gone. */
  get signal(): AbortSignal {
    return this.#dead.signal;
  }

  /** How far a machine is, in words. */
  stageOf(name: string): string {
    return stageWords(this.#machines.find((machine) => machine.name === name));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#done;
  }

  async #watch(pollMs: number): Promise<void> {
    const { signal } = this.#over;
    try {
      for (;;) {
        const found = await callKeeper(this.#directory, { method: 'reflect' }, { signal });
        this.#machines = found as readonly KeptMachine[];
        const crashed = this.#machines.find(({ state }) => state === 'crashed');
        if (crashed !== undefined)
          throw new ClusterError('ERR_CLUSTER_MACHINE', `${crashed.name} crashed: ${crashed.lastLines}`);
        await systemClock.sleep(pollMs, signal);
      }
    } catch (error) {
      if (!signal.aborted) this.#dead.abort(error);
    }
  }
}

/** Pure. */
export function stageWords(machine: KeptMachine | undefined): string {
  if (machine === undefined) return 'is not known yet';
  if (machine.state === 'off') return 'is off';
  const words = [
    machine.state === 'running' ? 'is on' : `is ${machine.state}`,
    ...(machine.hasAddress === undefined
      ? []
      : [machine.hasAddress ? 'has an address' : 'has no address by DHCP yet']),
    ...(machine.hasFetched === true ? ['has fetched its configuration'] : []),
  ];
  return words.join(', ');
}
