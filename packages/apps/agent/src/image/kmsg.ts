import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';

/** The kernel cuts a record after 976 bytes, with its own prefix. */
const longestBytes = 900;

/** Levels of pino to those of syslog(3). */
const priorities: ReadonlyMap<number, number> = new Map([
  [60, 2],
  [50, 3],
  [40, 4],
  [30, 6],
]);

const debug = 7;

/** Where pino writes its lines. */
export type LogDestination = { write(line: string): void };

/**
 * The kernel's log, which the console shows and `dmesg` keeps: one readable line for each. Needs root. Lines that the kernel does
 * not take are lost; nothing else of the agent fails with them.
 */
export class KernelLog implements LogDestination, Disposable {
  readonly #file: number;

  /**
   * @param path of the kernel's log; a file in tests.
   * @param limit is told not to hold back lines of a program that writes many at once.
   */
  constructor(path: string = '/dev/kmsg', limit: string = '/proc/sys/kernel/printk_devkmsg') {
    this.#file = openSync(path, 'a');
    try {
      writeFileSync(limit, 'on\n', { flag: 'r+' });
    } catch {
      // fixed on the kernel's command line, or no such kernel
    }
  }

  write(line: string): void {
    try {
      writeSync(this.#file, kernelLine(line));
    } catch {
      // there is no other place to say so
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}

type Fields = { readonly [name: string]: unknown };

/** One JSON line of the log as the kernel takes it: `<6>nodecore: listening port=50000`. */
export function kernelLine(json: string): string {
  const { level, time: _time, msg, err, ...fields } = JSON.parse(json) as Fields;
  const { code, message } = (err ?? {}) as { readonly code?: string; readonly message?: string };
  const priority = priorities.get(Number(level)) ?? debug;
  const words = Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`);
  const reason = message === undefined ? [] : [`error=${shown(message)}`];
  const text = [
    typeof msg === 'string' ? msg : '',
    ...words,
    ...(code === undefined ? [] : [`code=${code}`]),
    ...reason,
  ];
  // A line break would begin a record of another priority.
  const line = `<${priority}>nodecore: ${text.join(' ').replaceAll(/[\r\n]+/gu, ' | ')}`;
  return `${Buffer.from(line)
    .subarray(0, longestBytes)
    .toString()
    .replace(/\uFFFD+$/u, '')}\n`;
}

function shown(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? '';
  return /^[\w.:/@+-]+$/u.test(value) ? value : JSON.stringify(value);
}
