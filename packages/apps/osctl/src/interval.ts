import { parseDuration } from '@nodecore/cli';
import { InvalidArgumentError } from 'commander';

/** Milliseconds between samples, which nodes take from 100 ms to an hour. For flags, as `parseDuration`. */
export function parseInterval(text: string): number {
  const intervalMs = parseDuration(text);
  if (intervalMs >= 100 && intervalMs <= 3_600_000) return intervalMs;
  throw new InvalidArgumentError('Expected 100ms to 1h.');
}
