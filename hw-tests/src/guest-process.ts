import { Readable } from 'node:stream';
import { constants } from 'node:os';

/** How a command in a machine ended. A signal gives `code` 128 + its number, as in a shell. */
export type GuestExit = { readonly code: number; readonly signal?: NodeJS.Signals };

type Send = {
  readonly input: (bytes: Uint8Array) => void;
  readonly inputEnd: () => void;
  readonly signal: (number: number) => void;
};

/** A command that runs in a machine. Its output is buffered until it is read. */
export class GuestProcess {
  readonly stdout: Readable = new Readable({ read: () => {} });
  readonly stderr: Readable = new Readable({ read: () => {} });
  /** Rejects when the machine stops first. */
  readonly exited: Promise<GuestExit>;
  readonly #settle: PromiseWithResolvers<GuestExit>;
  readonly #send: Send;

  /** @internal Made by `GuestSession.start`. */
  constructor(send: Send) {
    this.#send = send;
    this.#settle = Promise.withResolvers();
    this.exited = this.#settle.promise;
    this.exited.catch(() => {}); // its waiters hear of it
  }

  /** Gives bytes to the command's standard input. */
  write(bytes: Uint8Array): void {
    // A frame's bytes are held whole in the machine; cut large inputs so that others get their turn.
    for (let at = 0; at < bytes.length; at += 65_536) this.#send.input(bytes.subarray(at, at + 65_536));
  }

  /** Ends the command's standard input. */
  end(): void {
    this.#send.inputEnd();
  }

  /** Signals the command and everything in its session's process group. */
  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#send.signal(constants.signals[signal]);
  }

  /** @internal */
  ended(bySignal: boolean, value: number): void {
    this.stdout.push(null);
    this.stderr.push(null);
    if (!bySignal) {
      this.#settle.resolve({ code: value });
      return;
    }
    const signal = Object.entries(constants.signals).find(([, number]) => number === value)?.[0];
    this.#settle.resolve({ code: 128 + value, signal: (signal ?? 'SIGKILL') as NodeJS.Signals });
  }

  /** @internal */
  lost(reason: Error): void {
    this.stdout.push(null);
    this.stderr.push(null);
    this.#settle.reject(reason);
  }
}
