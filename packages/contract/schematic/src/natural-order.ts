/**
 * The order of names in `overlay.options`: runs of digits compare as numbers, letters come behind everything else, but
 * before it right after a digit.
 */
export function compareNaturally(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  const at = left.findIndex((character, index) => character !== right[index]);
  if (at === -1 || at >= right.length) return left.length - right.length;
  const [one = '', other = ''] = [left[at], right[at]];
  const letters = [isLetter(one), isLetter(other)] as const;
  if (letters[0] && letters[1]) return codeOf(one) - codeOf(other);
  if (letters[0] || letters[1]) {
    const behindDigit = at > 0 && isDigit(left[at - 1] ?? '');
    return letters[0] === behindDigit ? -1 : 1;
  }
  const [number, otherNumber] = [digitsAt(left, at), digitsAt(right, at)];
  // 0 differs behind other digits: `10` and `1` go on in the same number, so the run is a number with that much in front.
  const front = (one === '0' || other === '0') && hasNumberBefore(left, at) ? '1' : '0';
  const difference = BigInt(front + number) - BigInt(front + otherNumber);
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return number.length - otherNumber.length || codeOf(one) - codeOf(other);
}

function hasNumberBefore(characters: readonly string[], at: number): boolean {
  for (let index = at - 1; isDigit(characters[index] ?? ''); index -= 1)
    if (characters[index] !== '0') return true;
  return false;
}

function digitsAt(characters: readonly string[], at: number): string {
  let end = at;
  while (isDigit(characters[end] ?? '')) end += 1;
  return characters.slice(at, end).join('');
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9' && character.length === 1;
}

function isLetter(character: string): boolean {
  return /^\p{L}$/u.test(character);
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
