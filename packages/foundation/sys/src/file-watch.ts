import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * Tells when files are replaced. It watches their directories, because a file that is replaced by rename is another
 * one. Holds no process open.
 */
export class FileWatch implements Disposable {
  readonly #watchers: readonly FSWatcher[];

  /**
   * @param onChange called at least once after every change, perhaps more often.
   * @param onFailure called when a directory can't be watched; the others are.
   */
  constructor(
    paths: readonly string[],
    onChange: () => void,
    onFailure: (directory: string, error: unknown) => void,
  ) {
    const directories = Map.groupBy(paths, (path) => dirname(path));
    this.#watchers = [...directories].flatMap(([directory, files]) => {
      const names = new Set(files.map((path) => basename(path)));
      // `..data` is the link that Kubernetes replaces when it mounts a secret.
      const isOurs = (name: string | null): boolean => name === null || names.has(name) || name === '..data';
      try {
        const watcher = watch(directory, { persistent: false }, (_event, name) => {
          if (isOurs(name)) onChange();
        });
        watcher.on('error', (error) => onFailure(directory, error));
        return [watcher];
      } catch (error) {
        onFailure(directory, error);
        return [];
      }
    });
  }

  [Symbol.dispose](): void {
    for (const watcher of this.#watchers) watcher.close();
  }
}
