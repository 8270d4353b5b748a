import type { Terminal } from '@nodecore/cli';
import { checkMode, ConfigError, type Mode, parse, type Problem } from '@nodecore/config';

import { readText } from '../configuration/read-text.ts';
import type { GlobalFlags } from '../flags.ts';

/** What is wrong with one file. */
export type Checked = {
  /** The path, or `<stdin>`. */
  readonly file: string;
  readonly mode?: Mode;
  readonly node?: string;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
};

export type CheckOptions = {
  readonly mode: Mode | undefined;
  readonly node: string | undefined;
  /** Warnings are problems. */
  readonly strict?: boolean;
};

/** Checks a file here and then, when it is valid, on the node that is named. */
export async function checkFile(
  path: string,
  { mode, node, strict = false }: CheckOptions,
  flags: GlobalFlags,
  terminal: Terminal,
): Promise<Checked> {
  const file = path === '-' ? '<stdin>' : path;
  const who = { file, ...(mode === undefined ? {} : { mode }), ...(node === undefined ? {} : { node }) };
  let text: string;
  try {
    ({ text } = await readText(path, path === '-' ? '-' : '--config', terminal));
    const here = checkText(text, file, { mode, strict });
    if (node === undefined || here.problems.length > 0) return { ...who, ...here };
    const { checkOnNode } = await import('./check-on-node.ts');
    const there = await checkOnNode(text, { file, known: here.warnings }, flags, terminal);
    return {
      ...who,
      problems: [...there.problems, ...(strict ? there.warnings : [])],
      warnings: strict ? [] : [...here.warnings, ...there.warnings],
    };
  } catch (error) {
    if (error instanceof ConfigError) return { ...who, problems: error.problems, warnings: [] };
    throw error;
  }
}

function checkText(
  text: string,
  file: string,
  { mode, strict }: { readonly mode: Mode | undefined; readonly strict: boolean },
): Pick<Checked, 'problems' | 'warnings'> {
  using configuration = parse(text, { file });
  if (mode !== undefined) return checkMode(configuration, mode, { file, strict });
  const { warnings } = configuration;
  return strict ? { problems: warnings, warnings: [] } : { problems: [], warnings };
}
