import type { Duplex } from 'node:stream';

import { encodeFrame, type Frame, frameKind, FrameReader } from './frames.ts';
import { GuestProcess } from './guest-process.ts';

/** A command for a machine: arguments are passed as they are, no shell between. */
export type GuestCommand = {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
};

/** The host's end of the runner's port: starts commands and hands out what they say. Lives as long as one boot. */
export class GuestSession {
  readonly #port: Duplex;
  readonly #processes = new Map<number, GuestProcess>();
  readonly #ready: PromiseWithResolvers<void> = Promise.withResolvers();
  #lastId = 0;
  #lost: Error | undefined;

  constructor(port: Duplex) {
    this.#port = port;
    const reader = new FrameReader();
    port.on('data', (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) this.#receive(frame);
    });
    port.on('error', () => {}); // QEMU is gone; its owner calls `lose`
    this.#ready.promise.catch(() => {});
  }

  /** Resolves when the runner in the machine serves. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  start(command: GuestCommand): GuestProcess {
    if (this.#lost !== undefined) throw this.#lost;
    this.#lastId += 1;
    const id = this.#lastId;
    const process = new GuestProcess({
      input: (bytes) => this.#send(encodeFrame(frameKind.input, id, bytes)),
      inputEnd: () => this.#send(encodeFrame(frameKind.inputEnd, id)),
      signal: (number) => this.#send(encodeFrame(frameKind.signal, id, Buffer.of(number))),
    });
    this.#processes.set(id, process);
    const environment = Object.entries(command.env).map(([name, value]) => `${name}=${value}`);
    const strings = [command.cwd, String(command.argv.length), ...command.argv, ...environment];
    this.#send(encodeFrame(frameKind.start, id, Buffer.from(strings.map((text) => `${text}\0`).join(''))));
    return process;
  }

  /** Asks the machine to end everything and switch itself off. */
  powerOff(): void {
    this.#send(encodeFrame(frameKind.powerOff, 0));
  }

  /** The machine is gone: everything that waits for it rejects. */
  lose(reason: Error): void {
    this.#lost ??= reason;
    this.#ready.reject(reason);
    for (const process of this.#processes.values()) process.lost(reason);
    this.#processes.clear();
    this.#port.destroy();
  }

  #send(frame: Buffer): void {
    if (this.#lost === undefined) this.#port.write(frame);
  }

  #receive(frame: Frame): void {
    if (frame.kind === frameKind.ready) this.#ready.resolve();
    const process = this.#processes.get(frame.id);
    if (process === undefined) return;
    if (frame.kind === frameKind.output) process.stdout.push(Buffer.from(frame.payload));
    if (frame.kind === frameKind.errorOutput) process.stderr.push(Buffer.from(frame.payload));
    if (frame.kind === frameKind.exit) {
      this.#processes.delete(frame.id);
      process.ended(frame.payload.readUInt8(0) === 1, frame.payload.readUInt32LE(1));
    }
  }
}
