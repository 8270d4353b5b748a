import { ConfigError, type Problem, parse } from '@nodecore/config';

/** More would be a page of what follows from one mistake. */
const most = 5;

/**
 * What is wrong with a configuration that is to be embedded, as a node will judge it: by line, field and rule, and nothing that stands
 * there, for it may be a secret where nobody looks for one. Undefined when all is well. It need not be complete: other sources
 * may bring what it lacks, in documents of their own.
 */
export function embeddedProblems(text: string): string | undefined {
  try {
    parse(text)[Symbol.dispose]();
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const found = error.problems.slice(0, most).map(placeOf);
    const rest = error.problems.length - found.length;
    return [...found, ...(rest > 0 ? [`${rest} more`] : [])].join('; ');
  }
}

/** `line 3: HostnameConfig hostname (hostname.invalid)`; a kind that there is not is what somebody has typed. */
function placeOf({ line, document, path, code }: Problem): string {
  const kind = code === 'kind.unknown' ? '' : (document.split('/')[0] ?? '');
  const names = [kind, path].filter((name) => /^[\w.[\]?-]{1,128}$/u.test(name));
  return `line ${[`${line}:`, ...names, `(${code})`].join(' ')}`;
}
