/** What a key means here. */
export type Key =
  | 'quit'
  | 'pause'
  | 'summary'
  | 'monitor'
  | 'previous'
  | 'next'
  | 'down'
  | 'up'
  | 'half-down'
  | 'half-up'
  | 'page-down'
  | 'page-up';

const characters: Readonly<Record<string, Key>> = {
  q: 'quit',
  '\u0003': 'quit',
  '\u001a': 'pause',
  '1': 'summary',
  '2': 'monitor',
  h: 'previous',
  l: 'next',
  j: 'down',
  k: 'up',
  '\u0004': 'half-down',
  '\u0015': 'half-up',
  '\u0006': 'page-down',
  '\u0002': 'page-up',
};

/** Behind the escape; terminals differ in what they send for the same key. */
const sequences: Readonly<Record<string, Key>> = {
  '[D': 'previous',
  OD: 'previous',
  '[C': 'next',
  OC: 'next',
  '[B': 'down',
  OB: 'down',
  '[A': 'up',
  OA: 'up',
  '[6~': 'page-down',
  '[5~': 'page-up',
  OP: 'summary',
  '[11~': 'summary',
  '[[A': 'summary', // the console of Linux
  OQ: 'monitor',
  '[12~': 'monitor',
  '[[B': 'monitor',
};

/** A function key of the console, CSI with its parameters and end, or SS3 with one character. */
// oxlint-disable-next-line no-control-regex -- this is the one
const complete = /^\u001b(?:\[\[[A-Z]|\[[0-9;?]*[A-Za-z~@]|O[A-Za-z])/u;
/** What can still become one. */
// oxlint-disable-next-line no-control-regex -- this is the one
const begun = /^\u001b(?:\[\[?|\[[0-9;?]{1,12}|O)?$/u;

/** Reads keys from what a terminal sends, also where a key comes in pieces. What means nothing is passed over. */
export class KeyReader {
  readonly #decoder = new TextDecoder();
  #rest = '';

  next(bytes: Uint8Array): readonly Key[] {
    let text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    this.#rest = '';
    const keys: Key[] = [];
    while (text !== '') {
      if (begun.test(text)) {
        this.#rest = text;
        break;
      }
      const found = complete.exec(text)?.[0] ?? text.slice(0, 1);
      const key = found.length > 1 ? own(sequences, found.slice(1)) : own(characters, found);
      if (key !== undefined) keys.push(key);
      text = text.slice(found.length);
    }
    return keys;
  }
}

function own(table: Readonly<Record<string, Key>>, name: string): Key | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
