import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startFactory } from '@nodecore/factory';
import { buildRelease } from '@nodecore/release';

const version = 'v1.14.0-alpha.0';

/** A factory on the release of this checkout, and schematics that differ by their command line. */
export class ImageFactory {
  /** A directory that goes with the factory. */
  readonly place: string;
  /** Of the release. */
  readonly release: string;
  readonly #url: string;
  #schematics = 0;

  private constructor(place: string, release: string, url: string) {
    this.place = place;
    this.release = release;
    this.#url = url;
  }

  static async start(stack: AsyncDisposableStack): Promise<ImageFactory> {
    const place = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(async () => await rm(place, { recursive: true, force: true }));
    const { directory } = await buildRelease({ version });
    const factory = await startFactory({
      releases: join(directory, '..'),
      releaseKeys: [join(directory, '../../release-keys/release.pub')],
      listen: { host: '127.0.0.1', port: 0 },
      storage: join(place, 'factory'),
      externalUrl: 'http://127.0.0.1/',
    });
    stack.defer(async () => await factory.close());
    return new ImageFactory(place, directory, `http://127.0.0.1:${factory.address.port}`);
  }

  /** @param name as `metal-amd64.raw`. @param number of the schematic. */
  async image(name: string, number: number): Promise<ReadableStream<Uint8Array>> {
    const response = await fetch(await this.#urlOf(name, number));
    if (!response.ok || response.body === null) throw new Error(`${name}: ${response.status}`);
    return response.body;
  }

  /** An image of a schematic that nobody has asked for. */
  async another(name: string): Promise<ReadableStream<Uint8Array>> {
    this.#schematics += 1;
    return await this.image(name, this.#schematics);
  }

  /** Where such an image is; its schematic is there. */
  async anotherUrl(name: string): Promise<string> {
    this.#schematics += 1;
    return await this.#urlOf(name, this.#schematics);
  }

  async #urlOf(name: string, number: number): Promise<string> {
    const body = `customization:\n  extraKernelArgs: [bench=${number}]\n`;
    const answer = await fetch(`${this.#url}/schematics`, { method: 'POST', body });
    const { id } = (await answer.json()) as { readonly id: string };
    return `${this.#url}/image/${id}/${version}/${name}`;
  }
}

export async function saveStream(stream: ReadableStream<Uint8Array>, path: string): Promise<void> {
  await using file = await open(path, 'w');
  for await (const chunk of stream) await file.write(chunk);
}
