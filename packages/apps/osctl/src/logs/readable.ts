import { printable } from '@nodecore/cli';

/** A line of a log for people. Tabs stay: they move no cursor back. */
export function readable(line: string): string {
  return line.replace(/\r$/u, '').split('\t').map(printable).join('\t');
}
