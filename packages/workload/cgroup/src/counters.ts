import { flat, nested } from './files/format.ts';

type Rule = { readonly nested: boolean; readonly is: RegExp };

/** Files that hold counters, and which of their lines or values do. */
const counterFiles: Readonly<Record<string, Rule>> = {
  'cpu.stat': { nested: false, is: /./ },
  'cpu.stat.local': { nested: false, is: /./ },
  // The rest of it are amounts of memory, which come and go.
  'memory.stat': {
    nested: false,
    is: /^(pg|thp_.*_(alloc|fallback)|workingset_(refault|activate|restore|nodereclaim)|zswp(in|out|wb)|swp(in|out)_zero|numa_)/,
  },
  'memory.events': { nested: false, is: /./ },
  'memory.events.local': { nested: false, is: /./ },
  'memory.swap.events': { nested: false, is: /./ },
  'pids.events': { nested: false, is: /./ },
  'io.stat': { nested: true, is: /^([rwd](bytes|ios)|cost\.(usage|wait|indebt|indelay))$/ },
  'cpu.pressure': { nested: true, is: /^total$/ },
  'memory.pressure': { nested: true, is: /^total$/ },
  'io.pressure': { nested: true, is: /^total$/ },
  'irq.pressure': { nested: true, is: /^total$/ },
};

/** Names of the files that have counters: what to read when only rates matter. */
export const rateFiles: readonly string[] = Object.keys(counterFiles);

/** The counters of a file's text by line and name: `usage_usec`, `8:0 rbytes`, `some total`. */
export function countersOf(file: string, text: string | undefined): ReadonlyMap<string, number> {
  const rule = ruleOf(file);
  if (rule === undefined || text === undefined) return new Map();
  const pairs = rule.nested
    ? [...(nested(text) ?? [])].flatMap(([line, values]) =>
        [...values]
          .filter(([name]) => rule.is.test(name))
          .map(([name, value]) => [`${line} ${name}`, value] as const),
      )
    : [...(flat(text) ?? [])].filter(([name]) => rule.is.test(name));
  return new Map(pairs);
}

/**
 * The text of a file with growth per second, as a whole number, in place of each counter; what is no counter stays. A
 * counter without a rate is left out, and so absent.
 */
export function ratedText(
  file: string,
  text: string,
  rateOf: (counter: string) => number | undefined,
): string {
  const rule = ruleOf(file);
  if (rule === undefined) return text;
  const counters = countersOf(file, text);
  const rated = (counter: string, as: (rate: string) => string, is: string): string[] => {
    if (!counters.has(counter)) return [is];
    const rate = rateOf(counter);
    return rate === undefined ? [] : [as(String(Math.round(rate)))];
  };
  const lines = text.split('\n').map((line) => {
    const [key = '', ...words] = line.split(' ');
    if (!rule.nested) return rated(key, (rate) => `${key} ${rate}`, line);
    const values = words.flatMap((word) => {
      const name = word.slice(0, Math.max(0, word.indexOf('=')));
      return rated(`${key} ${name}`, (rate) => `${name}=${rate}`, word);
    });
    return [[key, ...values].join(' ')];
  });
  return lines.flat().join('\n');
}

function ruleOf(file: string): Rule | undefined {
  return Object.hasOwn(counterFiles, file) ? counterFiles[file] : undefined;
}
