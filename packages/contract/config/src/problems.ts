import { type LineCounter } from 'yaml';

import { ConfigError, type Problem } from './errors.ts';

/** The step from a document to one of its fields. */
export type PathStep = string | number;

type Found = { readonly offset: number; readonly problem: Problem };

export type Finding = {
  readonly code: string;
  readonly message: string;
  readonly path: readonly PathStep[];
  readonly document: string;
  readonly offset: number;
};

/** Where readers report what they find. */
export type Findings = {
  /** What is read. */
  readonly text: string;
  /** Problems so far. */
  readonly count: number;
  readonly add: (finding: Finding) => void;
  /** Something that works and that its author would want to know. */
  readonly warn: (finding: Finding) => void;
  /** Whether such a problem was found there. */
  readonly has: (code: string, offset: number) => boolean;
};

/** Collects everything that is wrong with one text, so that a user sees all of it in one go. */
export class Problems implements Findings {
  readonly text: string;
  readonly #lines: LineCounter;
  readonly #file: string | undefined;
  readonly #found: Found[] = [];
  readonly #warned: Found[] = [];

  constructor(text: string, lines: LineCounter, file: string | undefined) {
    this.text = text;
    this.#lines = lines;
    this.#file = file;
  }

  get count(): number {
    return this.#found.length;
  }

  add(finding: Finding): void {
    this.#found.push(this.#locate(finding));
  }

  /** Something that works and that its author would want to know. */
  warn(finding: Finding): void {
    this.#warned.push(this.#locate(finding));
  }

  /** A finding with its line and column, not kept. */
  located(finding: Finding): Problem {
    return this.#locate(finding).problem;
  }

  has(code: string, offset: number): boolean {
    return this.#found.some((one) => one.offset === offset && one.problem.code === code);
  }

  /** Whether a problem was found in this range. */
  isBetween(from: number, to: number): boolean {
    return this.#found.some(({ offset }) => from <= offset && offset < to);
  }

  place(offset: number): { line: number; column: number } {
    const { line, col } = this.#lines.linePos(Math.max(0, offset));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }

  /** In the order of the text. */
  list(): Problem[] {
    return inOrder(this.#found);
  }

  /** In the order of the text. */
  warnings(): Problem[] {
    return inOrder(this.#warned);
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

  #locate({ code, message, path, document, offset }: Finding): Found {
    const file = this.#file === undefined ? {} : { file: this.#file };
    return {
      offset,
      problem: { code, message, path: formatPath(path), document, ...this.place(offset), ...file },
    };
  }
}

function inOrder(found: readonly Found[]): Problem[] {
  return found.toSorted((a, b) => a.offset - b.offset).map(({ problem }) => problem);
}

function formatPath(path: readonly PathStep[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}
