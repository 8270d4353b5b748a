import { join } from 'node:path';

import { makeDirectory } from '@nodecore/sys';

import { registryScheme } from '../container/parts.ts';
import type { ClusterDirectory } from '../directory.ts';
import type { ImageSource } from '../image.ts';
import { isOwn } from '../factory-origin.ts';
import type { ClusterPlan } from '../plan.ts';
import { isUrl } from '../url-flag.ts';

type Say = (line: string) => void;

/** What the nodes of a cluster start from, as files of this computer; and the factory of the checkout, where that makes them. */
export class Images implements AsyncDisposable {
  readonly #plan: ClusterPlan;
  readonly #directory: ClusterDirectory;
  readonly #cache: string;
  readonly #signal: AbortSignal;
  #root: Promise<string> | undefined;
  #factory: Promise<AsyncDisposable> | undefined;

  /** @param signal ends what is under way. */
  constructor(plan: ClusterPlan, directory: ClusterDirectory, cache: string, signal: AbortSignal) {
    this.#plan = plan;
    this.#directory = directory;
    this.#cache = cache;
    this.#signal = signal;
  }

  /** @throws {ClusterError} `ERR_CLUSTER_IMAGE`; as the factory of the checkout. */
  async fetch(source: ImageSource, say: Say): Promise<string> {
    const { url } = source;
    if (isOwn(url)) await this.startFactory(say);
    const { fetchImage } = await import('../image.ts');
    const { hereOf } = await import('../own-factory.ts');
    const here = { ...source, url: hereOf(this.#plan, url), key: url };
    return await fetchImage(here, this.#cache, say, this.#signal);
  }

  /** Starts the factory of the checkout, once. */
  async startFactory(say: Say): Promise<void> {
    const start = async (): Promise<AsyncDisposable> => {
      const { startOwnFactory } = await import('./factory-program.ts');
      await makeDirectory(this.#directory.lan);
      return await startOwnFactory(this.#plan, this.#directory, join(this.#cache, 'factory'), say);
    };
    this.#factory ??= start();
    await this.#factory.catch((error: unknown) => {
      this.#factory = undefined; // who asks next tries again
      throw error;
    });
  }

  /** Looks at the root of containers anew, as an image may have changed. */
  refresh(say: Say): void {
    const { image } = this.#plan.request;
    this.#root = 'root' in image ? this.#rootOf(image.root, say) : undefined;
    this.#root?.catch(() => {}); // is the first container's to tell
  }

  /** The root of containers. */
  async root(image: string, say: Say): Promise<string> {
    return await (this.#root ??= this.#rootOf(image, say));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const factory = await this.#factory?.catch(() => undefined);
    await factory?.[Symbol.asyncDispose]();
  }

  async #rootOf(image: string, say: Say): Promise<string> {
    const tree = await this.#treeOf(image, say);
    const { container } = this.#plan.request;
    const { needsOwnRoot, ownRoot } = await import('../container/own-root.ts');
    return needsOwnRoot(container?.mounts ?? []) ? await ownRoot(tree, this.#directory.root) : tree;
  }

  async #treeOf(image: string, say: Say): Promise<string> {
    if (image.startsWith(registryScheme)) {
      const { pulledRoot } = await import('../container/pulled-root.ts');
      return await pulledRoot(image, this.#cache, say, this.#signal);
    }
    const path = isUrl(image) ? await this.fetch({ url: image }, say) : image;
    const { rootTree } = await import('../container/root-tree.ts');
    return await rootTree(path, this.#cache, say, this.#signal);
  }
}
