import { printable } from '@nodecore/cli';

const colours: readonly (readonly [RegExp, number])[] = [
  [/^(\+\+\+|---)/, 1],
  [/^@@/, 36],
  [/^\+/, 32],
  [/^-/, 31],
];

/** A unified diff for people: with colours on a terminal, and without bytes that could do anything to it. */
export function formatDiff(diff: string, { colour }: { readonly colour: boolean }): string {
  const lines = diff.replace(/\n$/, '').split('\n').map(printable);
  return lines.map((line) => `${colour ? coloured(line) : line}\n`).join('');
}

function coloured(line: string): string {
  const code = colours.find(([pattern]) => pattern.test(line))?.[1];
  return code === undefined ? line : `\u001B[${code}m${line}\u001B[0m`;
}
