/**
 * Below 0 when `a` is the older version, above 0 when it is the newer one, as dpkg says it (Debian Policy, 5.6.12). Takes any text, as
 * lists of vulnerabilities do.
 *
 * @example
 * compareDebianVersions('1.0~rc1-1', '1.0-1') < 0; // true
 */
export function compareDebianVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  return (
    left.epoch - right.epoch ||
    compareParts(left.upstream, right.upstream) ||
    compareParts(left.revision, right.revision)
  );
}

function partsOf(version: string): {
  readonly epoch: number;
  readonly upstream: string;
  readonly revision: string;
} {
  const colon = version.indexOf(':');
  const behind = version.slice(colon + 1);
  const dash = behind.lastIndexOf('-');
  return {
    epoch: colon < 0 ? 0 : Number(version.slice(0, colon)) || 0,
    upstream: dash < 0 ? behind : behind.slice(0, dash),
    revision: dash < 0 ? '' : behind.slice(dash + 1),
  };
}

const zero = 48;

/** Characters up to a number, the numbers, and so on. What is not there is as 0. */
function compareParts(a: string, b: string): number {
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    while ((i < a.length && !isDigit(a, i)) || (j < b.length && !isDigit(b, j))) {
      const order = rank(a, i) - rank(b, j);
      if (order !== 0) return order;
      i += 1;
      j += 1;
    }
    while (a.charCodeAt(i) === zero) i += 1;
    while (b.charCodeAt(j) === zero) j += 1;
    let first = 0;
    for (; isDigit(a, i) && isDigit(b, j); i += 1, j += 1) first ||= a.charCodeAt(i) - b.charCodeAt(j);
    if (isDigit(a, i)) return 1; // it has more digits
    if (isDigit(b, j)) return -1;
    if (first !== 0) return first;
  }
  return 0;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= zero && code <= zero + 9;
}

/** A tilde is before the end, the end before letters, letters before all else. */
function rank(text: string, at: number): number {
  if (at >= text.length || isDigit(text, at)) return 0;
  const code = text.charCodeAt(at);
  if (code === 126) return -1;
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) ? code : code + 256;
}
