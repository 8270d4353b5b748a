import type { Terminal } from '@nodecore/cli';
import { parse } from '@nodecore/config';

/** Warns of what works. @throws {ConfigError} with what does not. */
export function checkPatched(text: string, file: string, terminal: Terminal): void {
  using configuration = parse(text, { file });
  for (const { line, column, message } of configuration.warnings)
    terminal.error.write(`${file}:${line}:${column}: warning: ${message}\n`);
}
