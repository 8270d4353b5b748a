import { type Logger, pino } from 'pino';

import type { LogDestination } from './image/kmsg.ts';

/** Structured log lines on standard output. Fields are facts about the node, never documents or keys. */
export type Log = Logger;

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** What `--log-level` takes, from the fewest lines to the most; `silent` writes none at all. */
export const logLevels: readonly LogLevel[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/**
 * A log whose lines are written at once: a line that waits in a buffer is lost with a kill, and is then the one that
 * was needed. Without a destination they are JSON on standard output. Errors are written with code, message and stack, and with nothing else that they may carry.
 */
export function createLog(level: LogLevel, destination?: LogDestination): Log {
  return pino({ level, base: null, serializers: { err: shownError } }, destination ?? standardOutput());
}

/** Written at once, line by line. */
export function standardOutput(): LogDestination {
  return pino.destination({ dest: 1, sync: true });
}

type ShownError = { type: string; code?: string; message: string; stack?: string };

/** Own properties of errors may hold what must not be logged, such as the text around a syntax error. */
export function shownError(error: unknown): ShownError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error object' };
  const { name, message, stack } = error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return { type: name, ...code, message, ...(stack === undefined ? {} : { stack }) };
}
