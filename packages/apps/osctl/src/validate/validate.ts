import { print, printFound, readFormat, type Terminal, UsageError } from '@nodecore/cli';
import { formatProblem, type Mode } from '@nodecore/config';

import type { GlobalFlags } from '../flags.ts';
import { type Checked, checkFile } from './check-file.ts';
import { InvalidError } from './invalid-error.ts';

export type ValidateOptions = {
  /** Paths; `-` for standard input. */
  readonly files: readonly string[];
  /** Undefined: what the node itself says it is. */
  readonly mode: Mode | undefined;
  /** Checks them, too. */
  readonly node: string | undefined;
  readonly strict?: boolean;
  readonly output: string;
};

/**
 * Checks configurations as a node would, each by itself, and prints every finding on a line of its own.
 *
 * @throws {InvalidError} when one of them is not valid; what is wrong with it was printed.
 */
export async function validate(
  { output, ...options }: ValidateOptions,
  flags: GlobalFlags,
  terminal: Terminal,
): Promise<void> {
  if (options.files.filter((file) => file === '-').length > 1)
    throw new UsageError('standard input holds one configuration: it is named twice');
  const format = output === 'sarif' ? undefined : await readFormat(output, ['sarif']);
  const checked: Checked[] = [];
  for (const file of options.files) checked.push(await checkFile(file, options, flags, terminal));
  if (format === undefined) {
    const { sarifOf } = await import('./sarif.ts');
    await print(terminal.out, `${JSON.stringify(sarifOf(checked), undefined, 2)}\n`);
  } else if (format.kind === 'table') for (const one of checked) await printChecked(one, options, terminal);
  else {
    const objects = checked.map((one) => ({ ...one, valid: one.problems.length === 0 }));
    await printFound(terminal, format, objects, { single: checked.length === 1, text: () => '' });
  }
  const bad = checked.filter(({ problems }) => problems.length > 0);
  if (bad.length === 0) return;
  const count = bad.reduce((sum, { problems }) => sum + problems.length, 0);
  const problems = count === 1 ? '1 problem' : `${count} problems`;
  const [first] = bad;
  throw new InvalidError(
    checked.length === 1
      ? `${first?.file} is not valid for ${words(options)}: ${problems}`
      : `${bad.length} of ${checked.length} files are not valid for ${words(options)}: ${problems}`,
  );
}

/** A line for each finding. */
async function printChecked(
  { file, problems, warnings }: Checked,
  options: Pick<ValidateOptions, 'mode' | 'node'>,
  terminal: Terminal,
): Promise<void> {
  for (const warning of warnings) await print(terminal.error, `warning: ${formatProblem(warning)}\n`);
  for (const problem of problems) await print(terminal.error, `${formatProblem(problem)}\n`);
  if (problems.length === 0) await print(terminal.out, `${file} is valid for ${words(options)}\n`);
}

function words({ mode, node }: Pick<ValidateOptions, 'mode' | 'node'>): string {
  return [
    ...(mode === undefined ? [] : [`${mode} mode`]),
    ...(node === undefined ? [] : [`node ${node}`]),
  ].join(' and ');
}
