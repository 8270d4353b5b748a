/** What one place of a pattern stands for. */
type Token =
  | { readonly kind: 'any' | 'star' }
  | { readonly kind: 'set'; readonly holds: (letter: string) => boolean };

/**
 * Whether a text is what a pattern of udev says: `*`, `?`, `[a-z]`, `[!0-9]`, and `|` between several. Its time is bounded by the
 * length of one times that of the other, whatever the pattern is.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  return pattern.split('|').some((each) => matchesOne(tokensOf(each), Array.from(text)));
}

function matchesOne(tokens: readonly Token[], text: readonly string[]): boolean {
  let [at, token] = [0, 0];
  /** Where the last star stands, and up to where it has taken the text. */
  let [star, taken] = [-1, 0];
  while (at < text.length) {
    const current = tokens[token];
    if (current?.kind === 'star') {
      [star, taken] = [token, at];
      token++;
    } else if (current !== undefined && (current.kind === 'any' || holds(current, text[at] ?? ''))) {
      at++;
      token++;
    } else if (star >= 0) {
      taken++;
      [at, token] = [taken, star + 1];
    } else return false;
  }
  return tokens.slice(token).every(({ kind }) => kind === 'star');
}

function holds(token: Token, letter: string): boolean {
  return token.kind === 'set' && token.holds(letter);
}

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = [];
  for (const [word] of pattern.matchAll(/\[!?\]?[^\]]*\]|[\s\S]/gu)) {
    if (word === '*') tokens.push({ kind: 'star' });
    else if (word === '?') tokens.push({ kind: 'any' });
    else if (word.length > 1) tokens.push({ kind: 'set', holds: setOf(word.slice(1, -1)) });
    else tokens.push({ kind: 'set', holds: (letter) => letter === word });
  }
  return tokens;
}

function setOf(inside: string): (letter: string) => boolean {
  const isNot = inside.startsWith('!');
  const ranges = [...inside.slice(isNot ? 1 : 0).matchAll(/([\s\S])-([\s\S])|([\s\S])/gu)];
  return (letter) =>
    isNot !==
    ranges.some(([, from, to, one]) =>
      one === undefined ? letter >= (from ?? '') && letter <= (to ?? '') : letter === one,
    );
}
