import type { ExecutionContext } from 'ava';

type Body = (t: ExecutionContext, ...args: unknown[]) => unknown;
type Macro = { readonly exec: Body; readonly title?: (title?: string, ...args: unknown[]) => string };

/** A test as its file declared it. */
export type Declaration = {
  readonly title: string;
  /** `serial`, `skip`, `failing`, …, as they were chained. */
  readonly modifiers: readonly string[];
  /** Absent of a test that is to be written. */
  readonly body?: (t: ExecutionContext) => unknown;
};

/** Reads the arguments of ava's `test`. */
export function declaration(modifiers: readonly string[], args: readonly unknown[]): Declaration {
  const [first, ...others] = args;
  const hasTitle = typeof first === 'string';
  const [implementation, ...rest] = hasTitle ? others : args;
  if (implementation === undefined) return { title: hasTitle ? first : '', modifiers };
  const macro =
    typeof implementation === 'function' ? { exec: implementation as Body } : (implementation as Macro);
  const raw = hasTitle ? first : undefined;
  const title = 'title' in macro && macro.title !== undefined ? macro.title(raw, ...rest) : (raw ?? '');
  return { title, modifiers, body: (t) => macro.exec(t, ...rest) };
}

/** What the file that is being imported declares. */
export const declared: Declaration[] = [];
