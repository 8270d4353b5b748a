import { InvalidArgumentError } from 'commander';

/** Reads a number of hours as milliseconds. */
export function hoursToMs(text: string): number {
  const hours = Number(text);
  // Certificates hold years of four digits.
  if (!/^\d+$/u.test(text) || hours === 0 || hours > 50_000_000) {
    throw new InvalidArgumentError('It must be a whole number of hours.');
  }
  return hours * 3_600_000;
}
