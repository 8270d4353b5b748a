import { DataDirectory } from './data-directory.ts';

/** Data directories by their place, each opened once: what is half there belongs to a call of ours after that. */
export class DataDirectories {
  readonly #known = new Map<string, Promise<DataDirectory>>();

  /** The one at a place; undefined where nothing is mounted. */
  async at(path: string | undefined): Promise<DataDirectory | undefined> {
    if (path === undefined) {
      this.#known.clear(); // what comes back may be another disk
      return undefined;
    }
    const known = this.#known.get(path);
    if (known !== undefined) return await known;
    const opening = DataDirectory.open(path);
    this.#known.set(path, opening);
    opening.catch(() => this.#known.delete(path));
    return await opening;
  }
}
