import { open } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

/** The most that is read at once: what is older says nothing about machines that come up now. */
const mostBytes = 1 << 20;

/** Who got an address by DHCP, as the log of the network's server says. */
export class LeaseLog {
  readonly #path: string;
  readonly #seen = new Set<string>();
  #at = 0;
  #inode = 0;
  #rest = '';

  constructor(path: string) {
    this.#path = path;
  }

  /** Whether a machine with one of these addresses, of its card or of the network, got one since it was forgotten. */
  has(addresses: readonly (string | undefined)[]): boolean {
    return addresses.some((each) => each !== undefined && this.#seen.has(each));
  }

  /** They are to get one anew. What the server has said until now is of before. */
  async forget(addresses: readonly (string | undefined)[]): Promise<void> {
    await this.read();
    for (const each of addresses) if (each !== undefined) this.#seen.delete(each);
  }

  /** Takes in what the server has said since. */
  async read(): Promise<void> {
    const text = this.#rest + (await this.#more());
    const lines = text.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines)
      if (/ DHCP(?:ACK|REPLY)\(/.test(line)) for (const word of line.split(' ')) this.#seen.add(word);
  }

  async #more(): Promise<string> {
    try {
      await using file = await open(this.#path, 'r');
      const { size, ino } = await file.stat();
      if (ino !== this.#inode || size < this.#at) [this.#inode, this.#at, this.#rest] = [ino, 0, ''];
      const from = Math.max(this.#at, size - mostBytes);
      this.#at = size;
      const bytes = Buffer.alloc(size - from);
      await file.read(bytes, 0, bytes.length, from);
      return bytes.toString('latin1');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return '';
      throw error;
    }
  }
}
