import { readFileSync } from 'node:fs';

/** How many of the exported functions, classes and constants of some sources have a doc comment. */
export type Documented = {
  /** 100 where nothing is exported. */
  readonly percent: number;
  /** `file:line name` of each that has none. */
  readonly missing: readonly string[];
};

const declaration = /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|class|const) (\w+)/;

/** Counts them. Types are left out: their members say more than a sentence. Overloads count once. */
export function documented(sources: readonly string[]): Documented {
  const missing: string[] = [];
  let count = 0;
  for (const source of sources) {
    const lines = readFileSync(source, 'utf8').split('\n');
    const seen = new Set<string>();
    for (const [index, line] of lines.entries()) {
      const name = declaration.exec(line)?.[1];
      if (name === undefined || seen.has(name)) continue;
      seen.add(name);
      count += 1;
      if (lines[index - 1]?.trimEnd().endsWith('*/') !== true) missing.push(`${source}:${index + 1} ${name}`);
    }
  }
  return { percent: count === 0 ? 100 : (100 * (count - missing.length)) / count, missing };
}
