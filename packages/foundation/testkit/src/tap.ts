/** ava, for whoever reads what it writes with `--tap`: a program, from the checkout. */
export const avaProgram = 'packages/foundation/testkit/src/ava-tap.ts';

/** The result of one test as the Test Anything Protocol has it. */
export type TapResult = {
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly title: string;
  /** What the runner printed below a failed test, and what the test has logged. */
  readonly detail: readonly string[];
};

const line = /^(not )?ok \d+ (?:- )?(.*?)(?:\s+# (SKIP|TODO)\b.*)?$/i;

/** A comment with more than one space is a line of `t.log`. */
const detailed = /^(?:#\s{3}|\s+\S)/;

/**
 * Reads TAP as lines arrive. A failed test is reported when the next line that isn't its detail comes, so `end` must
 * be called after the last line.
 */
export class TapReader {
  readonly #report: (result: TapResult) => void;
  #failed: { title: string; detail: string[] } | undefined;

  constructor(report: (result: TapResult) => void) {
    this.#report = report;
  }

  read(text: string): void {
    const match = line.exec(text);
    if (match === null) {
      if (this.#failed !== undefined && detailed.test(text)) this.#failed.detail.push(text);
      return;
    }
    this.end();
    const title = match[2] ?? '';
    if (match[3] !== undefined) this.#report({ outcome: 'skipped', title, detail: [] });
    else if (match[1] === undefined) this.#report({ outcome: 'passed', title, detail: [] });
    else this.#failed = { title, detail: [] };
  }

  end(): void {
    if (this.#failed === undefined) return;
    this.#report({ outcome: 'failed', ...this.#failed });
    this.#failed = undefined;
  }
}
