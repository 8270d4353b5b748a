import { readFile } from 'node:fs/promises';

import { codeOf, decodeText, FileWatch } from '@nodecore/sys';

import { clientOf, forClient } from '../client.ts';
import { FactoryError } from '../errors.ts';
import { Turns } from '../turns.ts';
import { hasBcrypt, isBcrypt } from './bcrypt.ts';
import { RecentLogins } from './recent-logins.ts';

/** Each takes a thread that reads of files need, too, for up to 15 s. */
const hashing = { atOnce: 2, maxWaiting: 64 };

type Users = ReadonlyMap<string, readonly string[]>;

/** Salt and hash of no password that anybody has. */
const noPassword = 'abcdefghijklmnopqrstuuAbcdefghijklmnopqrstuvwxyz01234';

/** How often a file is read again although nobody said that it has changed: some filesystems never say so. */
const rereadMs = 30_000;

/**
 * Names with hashes of their passwords, of a file as htpasswd makes it with `-B`. A name may be there several times, with several
 * passwords. Read again when the file changes; one that can't be used leaves what was there.
 */
export class Htpasswd implements Disposable {
  readonly #path: string;
  readonly #warn: (line: string) => void;
  readonly #recent = new RecentLogins();
  readonly #turns = new Turns(hashing);
  #users: Users;
  #text: string;
  #warned = '';
  #watch: FileWatch | undefined;
  #timer: NodeJS.Timeout | undefined;

  private constructor(path: string, text: string, warn: (line: string) => void) {
    this.#path = path;
    this.#warn = warn;
    this.#text = text;
    this.#users = parse(path, text);
  }

  /** @throws {FactoryError} with `ERR_FACTORY_SETUP`, naming the line. */
  static async open(path: string, warn: (line: string) => void): Promise<Htpasswd> {
    const found = new Htpasswd(path, await read(path), warn);
    const again = (): void => void found.reload();
    found.#watch = new FileWatch([path], again, () => {}); // the timer sees what the watch can't
    found.#timer = setInterval(again, rereadMs).unref();
    await found.reload();
    return found;
  }

  async reload(): Promise<void> {
    try {
      const text = await read(this.#path);
      if (text !== this.#text) {
        this.#users = parse(this.#path, text);
        this.#text = text;
        this.#recent.forget();
      }
      this.#warned = '';
    } catch (error) {
      const line = `passwords stay as they were: ${error instanceof Error ? error.message : 'can not be read'}`;
      if (line !== this.#warned) this.#warn(line);
      this.#warned = line;
    }
  }

  /**
   * @param from the address that asks.
   * @throws {FactoryError} with `ERR_FACTORY_BUSY` for an address that has failed too often of late, and `ERR_FACTORY_OVERLOADED` when
   *   too many others wait.
   */
  async isRight(name: string, password: Buffer, from: string): Promise<boolean> {
    const now = performance.now();
    if (this.#recent.has(name, password, now)) return true;
    this.#recent.begin(from, now);
    const client = clientOf({ subject: '', address: from });
    try {
      return await forClient(client, () => this.#turns.run(() => this.#isRight(name, password, from)));
    } catch (error) {
      this.#recent.succeeded(from); // who had no turn was not wrong
      throw error;
    }
  }

  async #isRight(name: string, password: Buffer, from: string): Promise<boolean> {
    const users = this.#users;
    const hashes = users.get(name);
    if (hashes === undefined) {
      await hasBcrypt(password, hashOfNobody(users));
      return false;
    }
    for (const hash of hashes)
      if (await hasBcrypt(password, hash)) {
        this.#recent.succeeded(from);
        // Of a file that has been exchanged meanwhile nothing is remembered.
        if (users === this.#users) this.#recent.add(name, password, performance.now());
        return true;
      }
    return false;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#watch?.[Symbol.dispose]();
  }
}

/** A name that is not there takes as long as one that is. */
function hashOfNobody(users: Users): string {
  const [[hash] = []] = users.values();
  return (hash ?? '$2b$10$').slice(0, '$2b$10$'.length) + noPassword;
}

async function read(path: string): Promise<string> {
  try {
    return decodeText(await readFile(path));
  } catch (error) {
    throw new FactoryError('ERR_FACTORY_SETUP', `${path}: ${codeOf(error) ?? 'can not be read'}`);
  }
}

function parse(path: string, text: string): Users {
  const users = new Map<string, string[]>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, name, hash] = /^([^:]+):(.*)$/.exec(line) ?? [];
    const isName = name !== undefined && Buffer.byteLength(name) <= 256 && !/[\s\p{Cc}\p{Cf}]/u.test(name);
    if (!isName || hash === undefined || !isBcrypt(hash))
      throw new FactoryError(
        'ERR_FACTORY_SETUP',
        `${path}: line ${index + 1}: must be a name and a hash of bcrypt, as htpasswd -B makes them`,
      );
    users.set(name, [...(users.get(name) ?? []), hash]);
  }
  return users;
}
