import { isMap, type Document as YamlDocument, Document, type Node, type YAMLMap } from 'yaml';

import { rootIdentity, type SourceDocument } from '../source.ts';
import { keepLargeNumbers } from './large-numbers.ts';

type Entry = {
  readonly identity: string;
  readonly yaml: YamlDocument;
  /** As it stands in the text, with what is in front of it; undefined for one that was added. */
  readonly original: string | undefined;
  changed: boolean;
};

/** The documents that a patch works on. What it does not touch stays as it was written. */
export class PatchTarget {
  readonly #text: string;
  readonly #tail: string;
  #entries: Entry[] = [];
  #removed = false;

  constructor(text: string, documents: readonly SourceDocument[]) {
    this.#text = text;
    let at = 0;
    for (const { identity, yaml } of documents) {
      const end = yaml.range?.[2] ?? text.length;
      this.#entries.push({ identity, yaml, original: text.slice(at, end), changed: false });
      at = end;
    }
    this.#tail = text.slice(at);
  }

  /** Identities of the documents that have a kind. */
  has(identity: string): boolean {
    return this.#find(identity) !== undefined;
  }

  /** The document that a path means which names none: the root document, or the only one. */
  get implicit(): string | undefined {
    if (this.has(rootIdentity)) return rootIdentity;
    const [only, ...others] = this.#entries;
    return others.length === 0 ? only?.identity : undefined;
  }

  /** The fields of a document, to be changed in place; then {@link touch} it. */
  map(identity: string): YAMLMap | undefined {
    const contents = this.#find(identity)?.yaml.contents;
    return isMap(contents) ? contents : undefined;
  }

  touch(identity: string): void {
    const entry = this.#find(identity);
    if (entry !== undefined) entry.changed = true;
  }

  add(identity: string, contents: Node): void {
    const yaml = new Document(contents);
    this.#entries.push({ identity, yaml, original: undefined, changed: true });
  }

  remove(identity: string): void {
    this.#entries = this.#entries.filter((entry) => entry.identity !== identity);
    this.#removed = true;
  }

  /** The text; the very same one when nothing was changed. */
  render(): string {
    if (!this.#removed && this.#entries.every(({ changed }) => !changed)) return this.#text;
    let result = '';
    for (const entry of this.#entries) {
      const text = renderEntry(entry);
      if (result !== '' && !result.endsWith('\n')) result += '\n';
      result += result !== '' && !/^(?:\s|#.*\n)*---/u.test(text) ? `---\n${text}` : text;
    }
    return result + this.#tail;
  }

  #find(identity: string): Entry | undefined {
    return this.#entries.find((entry) => entry.identity === identity);
  }
}

function renderEntry({ yaml, original, changed }: Entry): string {
  if (!changed && original !== undefined) return original;
  keepLargeNumbers(yaml);
  // As the author does it, as far as one can tell.
  const padded = original === undefined || !/[{[][^\s{[\]}]/u.test(original);
  return yaml.toString({ lineWidth: 0, flowCollectionPadding: padded });
}
