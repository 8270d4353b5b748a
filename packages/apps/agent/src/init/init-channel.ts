import { codeOf } from '@nodecore/sys';
import { abortable, type Clock, Signal } from '@nodecore/waiting';

import type { Ending, ForcedEnding } from '../ending.ts';
import type { Log } from '../log.ts';
import { closeOnExec, receive, send } from './ffi.ts';

/** What the agent says to PID 1. */
export type InitMessage = 'alive' | 'blessed' | Exclude<Ending, 'restart'> | ForcedEnding | WatchdogMessage;

/** Which watchdog PID 1 shall feed, and after how many seconds it shall bite. */
export type WatchdogMessage = 'watchdog off' | `watchdog ${string} ${number}`;

/** What PID 1 asks of the agent. */
export type InitRequest = 'power-button' | 'ctrl-alt-del';

/** PID 1 takes an agent that says nothing for a minute for one that hangs. */
const aliveMs = 5000;
/** A request waits so long to be read: there is nothing that would wake the loop for it. */
const readMs = 1000;
const longestMessage = 256;
const watchdogWord = 'watchdog ';

const requests: ReadonlySet<string> = new Set<InitRequest>(['power-button', 'ctrl-alt-del']);

/** The agent's end of the socket pair with PID 1, which alone may reboot the machine. One message a datagram, in ASCII. */
export class InitChannel {
  readonly #fd: number;
  readonly #log: Log;
  readonly #asked = new Signal();
  readonly #requests: InitRequest[] = [];
  #watchdog: PromiseWithResolvers<string> | undefined;
  #formerEnd: string | undefined;

  /**
   * @param fd of a socket of messages (SOCK_SEQPACKET), the channel's own from now on; no child gets it.
   * @param formerEnd what became of the agent before this one.
   */
  constructor(fd: number, log: Log, formerEnd?: string) {
    this.#fd = fd;
    this.#log = log;
    this.#formerEnd = formerEnd;
  }

  /**
   * The channel that PID 1 has left, by `NODECORE_INIT_FD`; undefined where another program has started the agent. The variable
   * and `NODECORE_FORMER_END` go from the environment: they are for no child.
   */
  static inherited(log: Log, environment: NodeJS.ProcessEnv = process.env): InitChannel | undefined {
    const text = environment['NODECORE_INIT_FD'];
    const formerEnd = environment['NODECORE_FORMER_END'];
    delete environment['NODECORE_INIT_FD'];
    delete environment['NODECORE_FORMER_END'];
    if (text === undefined || !/^\d{1,4}$/u.test(text)) return undefined;
    const fd = Number(text);
    if (!closeOnExec(fd)) {
      log.error({ fd }, 'NODECORE_INIT_FD is no open descriptor: nobody reboots this machine');
      return undefined;
    }
    return new InitChannel(fd, log, formerEnd);
  }

  /** @returns what became of the agent that this process has taken the place of, as in `was ended by signal 9`; once. */
  takeFormerEnd(): string | undefined {
    const end = this.#formerEnd;
    this.#formerEnd = undefined;
    return end;
  }

  /** @returns whether PID 1 gets it. */
  say(message: InitMessage): boolean {
    const isSent = send(this.#fd, Buffer.from(message, 'latin1'));
    if (!isSent) this.#log.error({ message }, 'PID 1 does not take a message');
    return isSent;
  }

  /**
   * Asks PID 1 for a watchdog, one question at a time.
   *
   * @returns `off`, or `DEVICE SECONDS` as the hardware took it, or `error ERRNO`; undefined when PID 1 does not take the message.
   */
  async askWatchdog(message: WatchdogMessage, signal: AbortSignal): Promise<string | undefined> {
    const answer = Promise.withResolvers<string>();
    this.#watchdog = answer;
    if (!this.say(message)) return undefined;
    return await abortable(answer.promise, signal);
  }

  /** Shows PID 1 that the loop turns, and reads what it asks. Until the signal fires; never rejects. */
  async keepAlive(clock: Clock, signal: AbortSignal): Promise<void> {
    for (let silentMs = aliveMs; !signal.aborted; silentMs += readMs) {
      if (silentMs >= aliveMs) {
        this.say('alive');
        silentMs = 0;
      }
      this.#read();
      await clock.sleep(readMs, signal).catch(() => {}); // the loop asks the signal
    }
  }

  /** What PID 1 asks, as it comes; also what came while nobody listened. Ends when the signal fires. */
  async *asked(signal: AbortSignal): AsyncGenerator<InitRequest, void, undefined> {
    while (!signal.aborted) {
      const request = this.#requests.shift();
      if (request !== undefined) yield request;
      else await this.#asked.wait(signal).catch(() => {}); // the loop asks the signal
    }
  }

  #read(): void {
    try {
      const bytes = Buffer.alloc(longestMessage);
      for (;;) {
        const length = receive(this.#fd, bytes);
        if (length <= 0) return;
        const text = bytes.toString('latin1', 0, length);
        if (text.startsWith(watchdogWord)) {
          this.#watchdog?.resolve(text.slice(watchdogWord.length));
          continue;
        }
        if (!requests.has(text)) {
          this.#log.warn({ text }, 'PID 1 asks what this agent does not know');
          continue;
        }
        this.#requests.push(text as InitRequest);
        this.#asked.notify();
      }
    } catch (error) {
      this.#log.error({ code: codeOf(error), err: error }, 'PID 1 can not be heard');
    }
  }
}
