import type { EventEmitter } from 'node:events';

import type { Command } from 'commander';

/** Lines of the help of a command that show how it is called. */
export function examplesOf(command: Command): string[] {
  let text = '';
  (command as unknown as EventEmitter).emit('afterHelp', {
    error: false,
    command,
    write: (part: string) => void (text += part),
  });
  return text.split('\n').flatMap((line) => /^ {2}(?:.*\| )?(osctl .*)$/u.exec(line)?.[1] ?? []);
}

/** The words of a line as a shell makes them, up to a pipe, a redirection, a comment or another command. */
export function wordsOf(line: string): string[] {
  const words: string[] = [];
  for (const [token] of line.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/gu)) {
    if (/^(?:[|<>#&;]|2>)/u.test(token)) break;
    words.push(
      token.replaceAll(
        /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gu,
        (_, single, double, other) =>
          single ?? (double as string | undefined)?.replaceAll(/\\(["\\$`])/gu, '$1') ?? other,
      ),
    );
  }
  return words;
}
