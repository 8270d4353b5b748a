import { type LineCounter } from 'yaml';

import { ConfigError, type Problem } from './errors.ts';

/** The step from a document to one of its fields. */
export type PathStep = string | number;

/** Collects everything that is wrong with one text, so that a user sees all of it in one go. */
export class Problems {
  readonly #lines: LineCounter;
  readonly #file: string | undefined;
  readonly #found: { readonly offset: number; readonly problem: Problem }[] = [];

  constructor(lines: LineCounter, file: string | undefined) {
    this.#lines = lines;
    this.#file = file;
  }

  get count(): number {
    return this.#found.length;
  }

  add(found: {
    readonly code: string;
    readonly message: string;
    readonly path: readonly PathStep[];
    readonly document: string;
    readonly offset: number;
  }): void {
    const { line, col } = this.#lines.linePos(Math.max(0, found.offset));
    const problem = {
      code: found.code,
      message: found.message,
      path: formatPath(found.path),
      document: found.document,
      line: Math.max(1, line),
      column: Math.max(1, col),
      ...(this.#file === undefined ? {} : { file: this.#file }),
    };
    this.#found.push({ offset: found.offset, problem });
  }

  /** In the order of the text. */
  list(): Problem[] {
    return this.#found.toSorted((a, b) => a.offset - b.offset).map(({ problem }) => problem);
  }

  /** Throws one {@link ConfigError} with everything found, or returns when there is nothing. */
  throwIfAny(): void {
    const problems = this.list();
    if (problems.length === 0) return;
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    throw new ConfigError(
      'ERR_CONFIG_INVALID',
      `${this.#file ?? 'the configuration'} has ${count}`,
      problems,
    );
  }
}

function formatPath(path: readonly PathStep[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}
