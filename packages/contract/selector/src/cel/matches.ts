import { createRequire } from 'node:module';

import type * as Re2 from 're2js';

import type { Budget } from './budget.ts';
import { Failure } from './failure.ts';
import { patternSize } from './pattern-size.ts';
import { textOf, type Value } from './values.ts';

const require = createRequire(import.meta.url);

/** Loaded with the first pattern: its tables of Unicode are more than all else here. */
function re2(): typeof Re2 {
  return require('re2js') as typeof Re2;
}

/** With repetitions written out: `(a{30}){30}` is 900. */
const largest = 2000;
/** In characters. */
const longest = 1000;

/**
 * `text.matches(pattern)` with RE2's syntax. Its time is linear in the text for each instruction of the pattern, so that
 * no pattern can stop the node; look-around and back references it does not have.
 */
export function matches([text, pattern]: readonly Value[], budget: Budget): boolean {
  const [subject, source] = [textOf(text), textOf(pattern)];
  const size = source.length > longest ? longest : patternSize(source);
  // Counted as if it were compiled every time: the cost must not depend on earlier patterns.
  budget.spend(size + Math.ceil(((subject.length + 1) * (size + 4)) / 8));
  const compiled = compile(source);
  if (typeof compiled === 'string') throw new Failure(compiled);
  return compiled.test(subject);
}

/** Says at compile time what is wrong with a literal pattern; undefined: nothing. It costs no steps. */
export function refusePattern(pattern: Value): string | undefined {
  const compiled = compile(textOf(pattern));
  return typeof compiled === 'string' ? compiled : undefined;
}

/** Those compiled before; few, because a selector may make patterns of the facts of disks. */
const known = new Map<string, Re2.RE2JS>();
const maxKnown = 256;

/** The compiled pattern, or a message that says what is wrong with it. */
function compile(source: string): Re2.RE2JS | string {
  const before = known.get(source);
  if (before !== undefined) return before;
  if (source.length > longest || patternSize(source) > largest)
    return 'the pattern of matches() is too large';
  try {
    const compiled = re2().RE2JS.compile(source);
    if (known.size >= maxKnown) known.clear();
    known.set(source, compiled);
    return compiled;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `the pattern of matches() is not RE2: ${reason}`;
  }
}
