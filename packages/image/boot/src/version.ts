/** A version that can be in the name of an entry; the separators of the name can't be in it. */
export function isImageVersion(text: string): boolean {
  return /^[0-9A-Za-z][0-9A-Za-z.~^]*$/.test(text);
}

/**
 * The order of versions in the boot menu: negative when `left` is the lower one. `~` is below the end of the text,
 * numbers compare as numbers; see the version format specification of the UAPI group.
 */
export function compareImageVersions(left: string, right: string): number {
  let [a, b] = [left, right];
  for (;;) {
    [a, b] = [a.replace(separators, ''), b.replace(separators, '')];
    const tilde = compareLead('~', a, b);
    if (tilde !== undefined) {
      if (tilde !== 0) return tilde;
      [a, b] = [a.slice(1), b.slice(1)];
      continue;
    }
    if (a === '' || b === '') return Math.sign(a.length - b.length);
    const mark = ['-', '^', '.'].map((lead) => compareLead(lead, a, b)).find((order) => order !== undefined);
    if (mark !== undefined) {
      if (mark !== 0) return mark;
      [a, b] = [a.slice(1), b.slice(1)];
      continue;
    }
    const kind = /^\d/.test(a) || /^\d/.test(b) ? digits : letters;
    const [first, second] = [kind.exec(a)?.[0] ?? '', kind.exec(b)?.[0] ?? ''];
    const order = kind === digits ? compareNumbers(first, second) : compareText(first, second);
    if (order !== 0) return order;
    [a, b] = [a.slice(first.length), b.slice(second.length)];
  }
}

const separators = /^[^0-9A-Za-z~^.-]+/;
const digits = /^\d*/;
const letters = /^[A-Za-z]*/;

/** 0: both begin with it. Otherwise who begins with it is the lower one; undefined when neither does. */
function compareLead(lead: string, left: string, right: string): number | undefined {
  const [inLeft, inRight] = [left.startsWith(lead), right.startsWith(lead)];
  if (!inLeft && !inRight) return undefined;
  return inLeft === inRight ? 0 : inLeft ? -1 : 1;
}

/** Of any length: a version is text, and no number type holds all of them. */
function compareNumbers(left: string, right: string): number {
  if (left === '' || right === '') return Math.sign(left.length - right.length);
  const [a, b] = [left.replace(/^0+/, ''), right.replace(/^0+/, '')];
  return Math.sign(a.length - b.length) || compareText(a, b);
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
