import type { Terminal } from '@nodecore/cli';
import { parse } from '@nodecore/config';

import { warningLines } from './warnings.ts';

/** Warns of what works. @throws {ConfigError} with what does not. */
export function checkPatched(text: string, file: string, terminal: Terminal, isVerbose = false): void {
  using configuration = parse(text, { file });
  const warnings = configuration.warnings.map(({ line, column, message }) => ({
    place: `${file}:${line}:${column}`,
    message,
  }));
  for (const line of warningLines(warnings, isVerbose)) terminal.error.write(line);
}
