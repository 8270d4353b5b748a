import { ServiceCgroups, type ServiceEvent, Supervisor } from '@nodecore/supervisor';
import type { Clock } from '@nodecore/waiting';

import { Tally } from '../tally.ts';

export type NodeServicesParts = {
  readonly directory: string;
  readonly tethered: boolean;
  /** Where services get cgroups of their own; nowhere on a host, whose cgroups are its own. */
  readonly cgroups?: string | undefined;
  readonly clock: Clock;
  readonly told?: (id: string, event: ServiceEvent) => void;
};

/** The node's services, for the features that have some: opened when they are first asked for. */
export class NodeServices {
  /** Bytes of each service's log that were dropped before somebody who followed it had them. */
  readonly lostLogs: Tally = new Tally();
  readonly #parts: NodeServicesParts;
  #opening: Promise<Supervisor> | undefined;
  #opened: Supervisor | undefined;

  constructor(parts: NodeServicesParts) {
    this.#parts = parts;
  }

  /** Undefined until they are open. */
  get supervisor(): Supervisor | undefined {
    return this.#opened;
  }

  /**
   * The services, with the programs that a former agent has left.
   *
   * @throws {SupervisorError} `ERR_SERVICE_BUSY` while another agent has them, `ERR_SERVICE_PROGRAM`; asked again, it is tried again.
   */
  async open(): Promise<Supervisor> {
    const { cgroups, ...parts } = this.#parts;
    const opening = (this.#opening ??= Supervisor.open({
      ...parts,
      ...(cgroups !== undefined && { cgroups: new ServiceCgroups(cgroups) }),
    }));
    try {
      return (this.#opened = await opening);
    } catch (error) {
      if (this.#opening === opening) this.#opening = undefined;
      throw error;
    }
  }

  /** Ends every service, and gives them up. */
  async close(): Promise<void> {
    const supervisor = await this.#opening?.catch(() => undefined);
    this.#opening = undefined;
    this.#opened = undefined;
    await supervisor?.stop();
    await supervisor?.[Symbol.asyncDispose]();
  }
}
