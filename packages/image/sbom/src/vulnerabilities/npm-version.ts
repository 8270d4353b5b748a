/** Below 0 when `a` is the older version of an npm package (Semantic Versioning 2.0, 11). Takes any text. */
export function compareNpmVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let at = 0; at < Math.max(left.numbers.length, right.numbers.length); at += 1) {
    const order = (left.numbers[at] ?? 0) - (right.numbers[at] ?? 0);
    if (order !== 0) return order;
  }
  // A final release is above its pre-releases.
  if (left.pre.length === 0 || right.pre.length === 0) return right.pre.length - left.pre.length;
  for (let at = 0; at < Math.max(left.pre.length, right.pre.length); at += 1) {
    const order = compareWords(left.pre[at], right.pre[at]);
    if (order !== 0) return order;
  }
  return 0;
}

function partsOf(version: string): { readonly numbers: readonly number[]; readonly pre: readonly string[] } {
  const [plain = ''] = version.replace(/^[v=\s]+/, '').split('+', 1);
  const dash = plain.indexOf('-');
  const front = dash < 0 ? plain : plain.slice(0, dash);
  return {
    numbers: front.split('.').map((word) => Number.parseInt(word, 10) || 0),
    pre: dash < 0 ? [] : plain.slice(dash + 1).split('.'),
  };
}

function compareWords(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (left && right) return Number(a) - Number(b);
  if (left !== right) return left ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
