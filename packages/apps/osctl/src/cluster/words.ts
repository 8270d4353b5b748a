import { stripVTControlCharacters } from 'node:util';

import { printable, type Terminal } from '@nodecore/cli';

import { readable } from '../logs/readable.ts';

/** Says a line to the person at a terminal. What nodes chose of it is not obeyed. */
export function sayTo({ error }: Pick<Terminal, 'error'>): (line: string) => void {
  return (line) => void error.write(`${printable(line)}\n`);
}

/** A line of a console for people: colours and moves of the cursor go, as firmware has many. */
export function readableConsole(line: string): string {
  return readable(stripVTControlCharacters(line).replace(/\r+$/u, ''));
}
