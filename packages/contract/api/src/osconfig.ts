import { isDeepStrictEqual } from 'node:util';

import { decodeText, TextError } from '@nodecore/sys';
import { isMap, isScalar, parseDocument, type Document, type YAMLMap } from 'yaml';

import {
  readContext,
  storeContext,
  type OsContext,
  type OsContextInput,
  type StoredContext,
} from './osconfig-context.ts';
import { OsconfigError } from './osconfig-errors.ts';

/** A context that got another name because its own was taken. */
export type Rename = { readonly from: string; readonly to: string };

/**
 * A client config: named contexts, one of them current. Edits keep comments and fields that this version does not know.
 * Private keys stay inside until {@link Osconfig.context} hands one out.
 */
export class Osconfig {
  /** Where it is from; for messages. */
  readonly path: string;
  readonly #document: Document;
  /** Whether there is a file. */
  #exists = true;

  private constructor(document: Document, path: string) {
    this.#document = document;
    this.path = path;
  }

  /** For a file that is not there yet. */
  static empty(path: string): Osconfig {
    const config = Osconfig.parse('', path);
    config.#exists = false;
    return config;
  }

  /** @throws {OsconfigError} `ERR_OSCONFIG_INVALID`; the parser's message is dropped, it may quote a key. */
  static parse(given: string | Uint8Array, path: string): Osconfig {
    const text = typeof given === 'string' ? given : decoded(given, path);
    const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' });
    const refuse = (what: string): never => {
      const message = `${path}: ${what}; correct the file, or move it away and merge its contexts again`;
      throw new OsconfigError('ERR_OSCONFIG_INVALID', path, message);
    };
    const [error] = document.errors;
    if (error !== undefined)
      refuse(`not well-formed YAML at line ${text.slice(0, error.pos[0]).split('\n').length}`);
    if (document.contents === null) return Osconfig.parse('contexts: {}\n', path);
    if (!isMap(document.contents)) refuse('not a client config: it has no fields');
    const contexts = document.get('contexts');
    if (contexts === undefined || contexts === null) document.set('contexts', document.createNode({}));
    else if (!isMap(contexts) || !contexts.items.every(({ value }) => isMap(value)))
      refuse('contexts must map names to contexts');
    const current = document.get('context');
    if (current !== undefined && current !== null && typeof current !== 'string')
      refuse('context must be a name');
    return new Osconfig(document, path);
  }

  /** Name of the current context, undefined when there is none. */
  get current(): string | undefined {
    const name = this.#document.get('context');
    return typeof name === 'string' && name !== '' ? name : undefined;
  }

  /** In the order of the file. */
  get names(): string[] {
    return Object.keys(this.#stored());
  }

  /**
   * A context, the current one by default. The caller disposes its key.
   *
   * @throws {OsconfigError} `ERR_OSCONFIG_CONTEXT`
   */
  context(name: string | undefined = this.current): OsContext {
    if (name === undefined) {
      const next = this.names.length === 0 ? 'osctl config merge <file>' : 'osctl config context <name>';
      throw new OsconfigError(
        'ERR_OSCONFIG_CONTEXT',
        this.path,
        this.#exists
          ? `no context is set in ${this.path}; run ${next}`
          : `there is no client config yet: ${this.path} does not exist; run ${next}`,
      );
    }
    return readContext(name, this.#require(name), this.path);
  }

  /** Makes a context current. */
  use(name: string): void {
    this.#require(name);
    this.#document.set('context', name);
  }

  /** Adds a context or replaces it. */
  set(name: string, context: OsContextInput): void {
    this.#put(name, storeContext(context));
  }

  setEndpoints(name: string, endpoints: readonly string[]): void {
    this.#require(name);
    this.#document.setIn(['contexts', name, 'endpoints'], this.#document.createNode(endpoints));
  }

  setNodes(name: string, nodes: readonly string[]): void {
    this.#require(name);
    this.#document.setIn(['contexts', name, 'nodes'], this.#document.createNode(nodes));
  }

  /** Whom a context believes, and what it shows, as far as that is given; all else of it stays. PEM. */
  setCredentials(name: string, { ca, crt, key }: Pick<OsContext, 'ca' | 'crt' | 'key'>): void {
    this.#require(name);
    for (const [field, value] of Object.entries({ ca, crt, key: key?.bytes }))
      if (value !== undefined)
        this.#document.setIn(['contexts', name, field], Buffer.from(value).toString('base64'));
  }

  /** `direct` goes through no proxy whatever the environment says; undefined: as the environment says. */
  setProxy(name: string, url: string | undefined): void {
    this.#require(name);
    const place = ['contexts', name, 'proxy-url'];
    if (url === undefined) this.#document.deleteIn(place);
    else this.#document.setIn(place, url);
  }

  /** Gives a context another name, in its place. @throws {TypeError} for a name that is taken. */
  rename(from: string, to: string): void {
    this.#require(from);
    if (this.names.includes(to)) throw new TypeError(`there is a context ${to}`);
    const pair = this.#contexts().items.find(({ key }) => nameOf(key) === from);
    if (pair !== undefined) pair.key = this.#document.createNode(to);
    if (this.current === from) this.#document.set('context', to);
  }

  remove(name: string): void {
    this.#require(name);
    this.#contexts().delete(name);
    if (this.current === name) this.#document.delete('context');
  }

  /**
   * Takes over the contexts of another config; its current context becomes current. A name that is taken gets `-1`,
   * `-2`, …; a context that is here already, unchanged, is left alone.
   */
  merge(other: Osconfig): Rename[] {
    const renames: Rename[] = [];
    let { current } = other;
    for (const [from, incoming] of Object.entries(other.#stored())) {
      const to = this.#place(from, incoming);
      this.#put(to, incoming);
      if (to !== from) renames.push({ from, to });
      if (from === other.current) current = to;
    }
    if (current !== undefined) this.#document.set('context', current);
    return renames;
  }

  /** The file's bytes, private keys included. */
  encode(): Buffer {
    return Buffer.from(this.#document.toString({ lineWidth: 0 }), 'utf8');
  }

  #put(name: string, stored: StoredContext): void {
    const contexts = this.#contexts();
    contexts.flow = false; // an empty `{}` would keep everything on one line
    contexts.set(name, this.#document.createNode(stored));
  }

  #place(name: string, incoming: StoredContext): string {
    const stored = this.#stored();
    for (let suffix = 0; ; suffix += 1) {
      const candidate = suffix === 0 ? name : `${name}-${suffix}`;
      const existing = stored[candidate];
      if (existing === undefined || isDeepStrictEqual(existing, incoming)) return candidate;
    }
  }

  #require(name: string): StoredContext {
    const stored = this.#stored();
    const context = Object.hasOwn(stored, name) ? stored[name] : undefined;
    if (context !== undefined) return context;
    const known = this.names.length === 0 ? 'it has none' : `it has ${this.names.join(', ')}`;
    const message = `context "${name}" not found in ${this.path}: ${known}; see osctl config contexts`;
    throw new OsconfigError('ERR_OSCONFIG_CONTEXT', this.path, message);
  }

  #contexts(): YAMLMap {
    return this.#document.get('contexts') as YAMLMap;
  }

  #stored(): Record<string, StoredContext> {
    return this.#contexts().toJS(this.#document) as Record<string, StoredContext>;
  }
}

/** A key as it is written: a text, or a node of the document. */
function nameOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

function decoded(bytes: Uint8Array, path: string): string {
  try {
    return decodeText(bytes);
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    const { line, column, message } = error;
    throw new OsconfigError('ERR_OSCONFIG_INVALID', path, `${path}:${line}:${column}: ${message}`);
  }
}
