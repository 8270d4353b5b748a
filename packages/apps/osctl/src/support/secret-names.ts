/**
 * Words in the names of secrets. The search is for the word and not for the whole name: what stands in front of it is kept
 * anyway, and a search for both would go over a long word again from each of its letters.
 */
export const secretWord: RegExp =
  /passw(?:or)?d|passphrase|token|secret|credential|(?:private|pre[_ -]?shared|api|access|account|encryption|signing)[_ -]?key|(?<=["'_;-])(?:pass|pwd)|auth(?:orization)?|cookie/giu;

/** What may stand behind the word in any spelling: `secretKey`, `aws_secret_access_key`, `tokens`, `password-2`. */
const rest =
  /^(?:[_.-]?(?:s|access|key|value|data|string|text|hash|base64|b64|raw|plain|new|old|current|previous|confirm|confirmation|again|\d))*$/iu;

/** Other words are part of the name of a value with `_`, or with a capital letter; with `-` they are mostly the name of a program. */
const snake = /^s?_/iu;
const camel = /^s?[A-Z]/u;

/** What is about a secret, and is none: `secretName`, `token_ttl`. */
const about =
  /(?:id|name|ref|reference|path|file|dir|directory|type|kind|policy|version|ttl|age|expiry|expires|expired|expiration|expires_?in|count|total|length|size|limit|url|uri|endpoint|audience|issuer|namespace|rotation|lifetime|period|seconds|interval|timeout|enabled|disabled|required|method|mode|status|state|error|at|time|provider|accessor)s?$/iu;

/** Whether a name with the word, and with this behind it, is the name of a secret. */
export function isSecret(word: string, tail: string): boolean {
  if (rest.test(tail)) return true;
  if (isCookie(word)) return false; // `cookie_domain`
  if (/^secret$/iu.test(word) && /^[_.-]?id$/iu.test(tail)) return true; // of an AppRole
  const continues = snake.test(tail) || (/[a-z]$/u.test(word) && camel.test(tail));
  return continues && !about.test(tail);
}

/** Names that are more often in sentences than in front of a secret. */
export function isAuth(word: string): boolean {
  return /^auth/iu.test(word);
}

/** Names of what is a secret where it looks like cookies. */
export function isCookie(word: string): boolean {
  return /^cookie$/iu.test(word);
}
