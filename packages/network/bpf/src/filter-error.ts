import { closest } from './closest.ts';
import type { Answer } from './compiler.ts';
import { BpfError } from './errors.ts';
import { excerpt, positionOf } from './excerpt.ts';
import { keywords, type Word, wordsOf } from './filter-words.ts';

/** Compiles another text with the same settings, quickly: without the optimiser. */
export type Try = (text: string) => Promise<Answer>;

// A number of more than 32 bits is the one word that libpcap's scanner itself refuses, with words of its own.
const poison = '99999999999';
// No filter begins with this: what libpcap says then is what it says of every wrong order of words.
const misplaced = 'and';
// A name alone says nothing: what libpcap says then is no clearer.
const meaningless = 'ip or x';

/**
 * The error for a text that libpcap refuses. libpcap says what is wrong, but not where: a text that is cut after a word
 * and goes on with a poisoned one is refused for the poison exactly if its words up to there can begin a filter.
 */
export async function filterError(text: string, said: string, compile: Try): Promise<BpfError> {
  const words = wordsOf(text);
  const isOrder = said === (await errorOf(compile, misplaced));
  const index = await faulty(text, words, said, isOrder, compile);
  const word = words[index];
  if (word === undefined) return errorAt(text, undefined, isOrder ? 'something is missing at the end' : said);
  const better = await suggestion(text, word, compile);
  const hint = better === undefined ? '' : `; did you mean "${better}"?`;
  const isVague = isOrder || said === (await errorOf(compile, meaningless));
  return errorAt(text, word, `${isVague ? `"${shown(word.text)}" can't stand here` : said}${hint}`);
}

/** An error about a word, or about the end of the text, with the caret under it. */
export function errorAt(text: string, word: Word | undefined, message: string): BpfError {
  const at = word ?? { text: '', offset: text.trimEnd().length };
  const { line, column } = positionOf(text, at.offset);
  const where = text.includes('\n') ? `line ${line}, column ${column}` : `column ${column}`;
  return new BpfError('ERR_BPF_FILTER', `filter, ${where}: ${message}\n${excerpt(text, at)}`, {
    line,
    column,
    token: at.text,
  });
}

function shown(text: string): string {
  return text.replaceAll(/\p{C}/gu, '?');
}

async function errorOf(compile: Try, text: string): Promise<string | undefined> {
  const answer = await compile(text);
  return 'error' in answer ? answer.error : undefined;
}

/** Index of the word that is at fault; the number of words when it is the end of the text. */
async function faulty(
  text: string,
  words: readonly Word[],
  said: string,
  isOrder: boolean,
  compile: Try,
): Promise<number> {
  const named = isOrder ? undefined : namedIn(said, words);
  if (named !== undefined) return named;
  const poisoned = await errorOf(compile, poison);
  const upTo = (count: number): string => {
    const last = words[count - 1];
    return last === undefined ? '' : text.slice(0, last.offset + last.text.length);
  };
  // Old versions of libpcap refuse the poison as a misplaced word: then there is no telling.
  if (poisoned === undefined || poisoned === said) return Math.max(0, words.length - 1);
  let good = 0;
  let bad = words.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if ((await errorOf(compile, `${upTo(middle)} ${poison}`)) === poisoned) good = middle;
    else bad = middle;
  }
  if (isOrder) return bad - 1;
  // A wrong value is found when it is used, which may be when the word after it is read.
  const found = Math.min(bad, words.length);
  const before = found > 1 && (await errorOf(compile, upTo(found - 1))) === said;
  const index = before ? found - 2 : found - 1;
  const closes = /^[\])]$/.test(words[index]?.text ?? '');
  return closes && index > 0 ? index - 1 : index;
}

/** The one word that libpcap itself names: in quotes, or a name or number that is no keyword. */
function namedIn(said: string, words: readonly Word[]): number | undefined {
  const quoted = new Set([...said.matchAll(/['"]([^'"]+)['"]/g)].map((match) => match[1]));
  const bare = new Set(said.split(/[\s'"]+/).filter((part) => !keywords.includes(part)));
  for (const names of [quoted, bare]) {
    const found = words.flatMap((word, index) => (names.has(word.text.replace(/^\\/, '')) ? [index] : []));
    if (found.length === 1) return found[0];
  }
  return undefined;
}

/** The keyword that was probably meant: with it, all of the text, or at least what is before it, makes sense. */
async function suggestion(text: string, word: Word, compile: Try): Promise<string | undefined> {
  if (keywords.includes(word.text)) return undefined;
  const poisoned = await errorOf(compile, poison);
  const before = text.slice(0, word.offset);
  const candidates = closest(word.text.toLowerCase(), keywords);
  for (const after of [text.slice(word.offset + word.text.length), '']) {
    for (const candidate of candidates) {
      if ((await errorOf(compile, `${before}${candidate}${after} ${poison}`)) === poisoned) return candidate;
    }
  }
  return undefined;
}
