import { addon } from './addon.ts';
import { translated } from './errors.ts';
import { Question } from './question.ts';

/** An answer to a packet of NTP, between two moments of this machine's clock. */
export type TimeAnswer = {
  /** Microseconds since the Unix epoch. */
  readonly sentMicros: number;
  readonly receivedMicros: number;
  readonly packet: Uint8Array;
};

export type AskTimeOptions = {
  /** An address, not a name. */
  readonly address: string;
  readonly port: number;
  /** 48 bytes or more; the answer repeats the last eight of these. */
  readonly packet: Uint8Array;
  readonly patienceMs: number;
  readonly signal?: AbortSignal;
};

/**
 * Sends one packet of NTP (RFC 5905) and waits for its answer, by a thread of the addon: the loop would stamp both too late. Answers to
 * other questions are passed over.
 *
 * @throws {NativeError} ETIMEDOUT without an answer, ECONNREFUSED where nobody listens.
 */
export async function askTime(options: AskTimeOptions): Promise<TimeAnswer> {
  const { address, port, packet, patienceMs, signal } = options;
  const { TimeServer } = addon();
  const bytes = Buffer.from(packet);
  const question = new Question(
    translated(address, () => new TimeServer(address, String(port), bytes, patienceMs)),
    address,
  );
  const { numbers, text } = await question.answer(signal);
  const [sentMicros = 0, receivedMicros = 0] = numbers;
  return { sentMicros, receivedMicros, packet: text };
}

/** A moment of a clock of the machine, between two moments of its system clock; microseconds since the Unix epoch. */
export type HardwareTime = {
  readonly beforeMicros: number;
  readonly afterMicros: number;
  readonly deviceMicros: number;
};

/**
 * Reads a PTP hardware clock (`/dev/ptp0`). Needs to be allowed to open it.
 *
 * @throws {NativeError} ENOENT, or ENODEV for a file that is no such clock.
 */
export async function readHardwareClock(path: string, signal?: AbortSignal): Promise<HardwareTime> {
  const { HardwareClock } = addon();
  const question = new Question(
    translated(path, () => new HardwareClock(path)),
    path,
  );
  const [beforeMicros = 0, afterMicros = 0, deviceMicros = 0] = (await question.answer(signal)).numbers;
  return { beforeMicros, afterMicros, deviceMicros };
}
