import { buffer } from 'node:stream/consumers';

import { print, readNamed, type Terminal, printFound, readFormat } from '@nodecore/cli';
import {
  checkMode,
  ConfigError,
  decode,
  formatProblem,
  parse,
  type Mode,
  type Problem,
} from '@nodecore/config';

import { InvalidError } from './invalid-error.ts';

export type ValidateOptions = {
  readonly config: string;
  readonly mode: Mode;
  readonly strict?: boolean;
  readonly output: string;
};

/** Checks a configuration as a node would, and prints every problem on a line of its own. */
export async function validate(options: ValidateOptions, terminal: Terminal): Promise<void> {
  const format = await readFormat(options.output);
  const fromInput = options.config === '-';
  const file = fromInput ? '<stdin>' : options.config;
  const bytes = fromInput ? await buffer(terminal.input) : await readNamed(options.config, '--config');
  const { problems, warnings } = findings(bytes, file, options);
  if (format.kind !== 'table') {
    const isValid = problems.length === 0;
    const found = { file, mode: options.mode, valid: isValid, problems, warnings };
    await printFound(terminal, format, [found], { single: true, text: () => '' });
  } else await printFindings({ problems, warnings }, terminal);
  if (problems.length > 0) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    throw new InvalidError(`${file} is not valid for ${options.mode} mode: ${count}`);
  }
  if (format.kind === 'table') await print(terminal.out, `${file} is valid for ${options.mode} mode\n`);
}

/** A line for each. */
async function printFindings({ problems, warnings }: Findings, terminal: Terminal): Promise<void> {
  for (const warning of warnings) await print(terminal.error, `warning: ${formatProblem(warning)}\n`);
  for (const problem of problems) await print(terminal.error, `${formatProblem(problem)}\n`);
}

type Findings = { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] };

function findings(bytes: Uint8Array, file: string, { mode, strict = false }: ValidateOptions): Findings {
  try {
    using configuration = parse(decode(bytes, { file }), { file });
    return checkMode(configuration, mode, { file, strict });
  } catch (error) {
    if (error instanceof ConfigError) return { problems: error.problems, warnings: [] };
    throw error;
  }
}
