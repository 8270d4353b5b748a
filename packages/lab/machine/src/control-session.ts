import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';

import { MachineError } from './errors.ts';
import type { ControlEvent } from './power.ts';

type Reply = {
  readonly id?: number;
  readonly return?: unknown;
  readonly error?: { readonly desc: string };
  readonly event?: string;
  readonly data?: Readonly<Record<string, unknown>>;
};

type Call = { readonly command: string; readonly settle: PromiseWithResolvers<unknown> };

/** QEMU's control port (its machine protocol, QMP): changes a machine while it runs. Lives as long as one boot. */
export class ControlSession {
  readonly #machine: string;
  readonly #port: Duplex;
  readonly #calls = new Map<number, Call>();
  readonly #removals = new Map<string, PromiseWithResolvers<void>>();
  #lastId = 0;
  #lost: Error | undefined;

  /** @param onEvent hears of every event of the machine's */
  constructor(machine: string, port: Duplex, onEvent: (event: ControlEvent) => void = () => {}) {
    this.#machine = machine;
    this.#port = port;
    const lines = createInterface({ input: port });
    lines.on('line', (line) => this.#receive(JSON.parse(line) as Reply, onEvent));
    // QEMU is gone; its owner calls `lose`. readline passes its input's errors on as its own.
    for (const each of [port, lines]) each.on('error', () => {});
    this.execute('qmp_capabilities').catch(() => {}); // every other command would be refused, and says so
  }

  /** Runs a command of QEMU's. @throws MachineError ERR_MACHINE_REFUSED with what QEMU says. */
  execute(command: string, args: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    this.#lastId += 1;
    const settle = Promise.withResolvers<unknown>();
    this.#calls.set(this.#lastId, { command, settle });
    this.#port.write(`${JSON.stringify({ execute: command, arguments: args, id: this.#lastId })}\n`);
    return settle.promise;
  }

  /** Takes a device away and resolves when the guest has let go of it. */
  async removeDevice(id: string): Promise<void> {
    const gone = Promise.withResolvers<void>();
    gone.promise.catch(() => {}); // the command may fail first
    this.#removals.set(id, gone);
    try {
      await this.execute('device_del', { id });
      await gone.promise;
    } finally {
      this.#removals.delete(id);
    }
  }

  /** The machine is gone: everything that waits for it rejects. */
  lose(reason: Error): void {
    this.#lost ??= reason;
    for (const { settle } of this.#calls.values()) settle.reject(reason);
    for (const gone of this.#removals.values()) gone.reject(reason);
    this.#calls.clear();
    this.#port.destroy();
  }

  #receive(reply: Reply, onEvent: (event: ControlEvent) => void): void {
    const { event, data } = reply;
    if (event === 'DEVICE_DELETED') this.#removals.get(String(data?.['device']))?.resolve();
    if (event !== undefined) onEvent({ event, ...(data && { data }) });
    const call = this.#calls.get(reply.id ?? 0);
    if (call === undefined) return; // a greeting or an event
    this.#calls.delete(reply.id ?? 0);
    if (reply.error === undefined) call.settle.resolve(reply.return);
    else
      call.settle.reject(
        new MachineError('ERR_MACHINE_REFUSED', this.#machine, `${call.command}: ${reply.error.desc}`),
      );
  }
}
