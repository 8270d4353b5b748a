/** What a key means here; while a text is typed, a character of it. */
export type Key = NamedKey | { readonly text: string };

type NamedKey =
  | 'quit'
  | 'pause'
  | 'summary'
  | 'monitor'
  | 'resources'
  | 'open'
  | 'back'
  | 'filter'
  | 'erase'
  | 'previous'
  | 'next'
  | 'down'
  | 'up'
  | 'half-down'
  | 'half-up'
  | 'page-down'
  | 'page-up';

const characters: Readonly<Record<string, NamedKey>> = {
  q: 'quit',
  '\u0003': 'quit',
  '\u001a': 'pause',
  '1': 'summary',
  '2': 'monitor',
  '3': 'resources',
  '/': 'filter',
  '\r': 'open',
  '\n': 'open',
  '\u001b': 'back',
  '\u007f': 'erase',
  '\b': 'erase',
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
const sequences: Readonly<Record<string, NamedKey>> = {
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
  OR: 'resources',
  '[13~': 'resources',
  '[[C': 'resources',
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

  /** Whether what came last can be the begin of a key, or the key Escape. */
  get isWaiting(): boolean {
    return this.#rest !== '';
  }

  /** @param isTyping asked before each key: whether characters are a text, and not keys. */
  *next(bytes: Uint8Array, isTyping: () => boolean = () => false): Generator<Key, void, undefined> {
    let text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    this.#rest = '';
    while (text !== '') {
      if (begun.test(text)) {
        this.#rest = text;
        return;
      }
      const found = complete.exec(text)?.[0] ?? String.fromCodePoint(text.codePointAt(0)!);
      text = text.slice(found.length);
      const key = keyOf(found, isTyping());
      if (key !== undefined) yield key;
    }
  }

  /** Nothing more has come: what was begun is Escape, and then what stands behind it. */
  *flush(isTyping: () => boolean = () => false): Generator<Key, void, undefined> {
    const rest = this.#rest;
    this.#rest = '';
    for (const character of rest) {
      const key = keyOf(character, isTyping());
      if (key !== undefined) yield key;
    }
  }
}

function keyOf(found: string, isTyping: boolean): Key | undefined {
  if (found.startsWith('\u001b') && found.length > 1) return own(sequences, found.slice(1));
  if (isTyping && printable.test(found)) return { text: found };
  return own(characters, found);
}

/** What a text may have. */
const printable = /^[^\p{C}\p{Zl}\p{Zp}]$/u;

function own(table: Readonly<Record<string, NamedKey>>, name: string): NamedKey | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
