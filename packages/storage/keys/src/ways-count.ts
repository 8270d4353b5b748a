import type { WaysIn } from './report.ts';
import type { Run } from './run.ts';
import type { Step } from './situation.ts';

const writes: ReadonlySet<Step['do']> = new Set([
  'record',
  'journal',
  'token',
  'add',
  'destroy',
  'remove-token',
  'end',
]);

/** Counts, from step to step, how many different proven keys open the volume. */
export class WaysCount {
  readonly #run: Run;
  #before: number | undefined;
  #lowest = Infinity;
  #now: number;

  constructor(run: Run) {
    this.#run = run;
    this.#now = this.#count();
  }

  after(step: Step): void {
    // Until the first write, looks only find out what is there.
    if (writes.has(step.do)) this.#before ??= this.#now;
    this.#now = this.#count();
    if (this.#before !== undefined) this.#lowest = Math.min(this.#lowest, this.#now);
  }

  get found(): WaysIn {
    const before = this.#before ?? this.#now;
    return { before, lowest: Math.min(before, this.#lowest, this.#now), after: this.#now };
  }

  #count(): number {
    const { keyring, header } = this.#run;
    return keyring.count(header.keyslots);
  }
}
