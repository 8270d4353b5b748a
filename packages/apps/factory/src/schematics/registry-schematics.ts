import {
  type Descriptor,
  type Digest,
  digestOf,
  formatManifest,
  mediaTypes,
  OciError,
  parseManifest,
  RegistryClient,
} from '@nodecore/oci';
import { codeOf } from '@nodecore/sys';
import { Backoff, systemClock, within } from '@nodecore/waiting';

import { certificateCodeOf, readAuthorities } from '../authorities.ts';
import { FactoryError } from '../errors.ts';
import { wrong } from '../settings.ts';
import { readRegistryCredentials, type SchematicRegistryOptions } from './registry-options.ts';
import type { SchematicStore } from './schematic-store.ts';

/** Media types of a schematic in a registry. */
const artifactType = 'application/vnd.nodecore.schematic.v1';
const textType = 'application/vnd.nodecore.schematic.v1+yaml';
/** What stands for a configuration where there is none (OCI image specification 1.1). */
const emptyType = 'application/vnd.oci.empty.v1+json';
const empty = Buffer.from('{}');

/** How long a registry may take; it is asked again by the next request. */
const answerMs = 10_000;
const readyMs = 2_000;
/**
 * How often it is asked while it refuses: a registry that keeps what it has in files has one of them half for a moment while another factory
 * gives it the same blob. It says then of the manifest that its blob is unknown, and who asks for that blob gets a 500.
 */
const tries = 4;
const refusals = [400, 404, 500];
const pauses = { firstMs: 20, largestMs: 80 };
/** How many texts are remembered; they never change. */
const kept = 256;
/** Above any canonical text. */
const maxBytes = 1 << 20;

/**
 * Schematics as artifacts of a repository: the text is a blob, whose digest is the ID, and the manifest that names it is tagged by the ID,
 * so that nothing collects it. The tag is given last: without it there is no schematic.
 */
export class RegistrySchematics implements SchematicStore {
  readonly #client: RegistryClient;
  readonly #repository: string;
  readonly #closing = new AbortController();
  /** In the order of their last use. */
  readonly #texts = new Map<string, string>();

  private constructor(client: RegistryClient, repository: string) {
    this.#client = client;
    this.#repository = repository;
  }

  /**
   * Asks whether the registry lets us in.
   *
   * @throws {FactoryError} with `ERR_FACTORY_SETUP`, naming the key that is wrong, and never a password.
   */
  static async open(options: SchematicRegistryOptions): Promise<RegistrySchematics> {
    const { registry, repository, credentialsPath, caPath, isInsecure = false } = options;
    const credentials =
      credentialsPath === undefined ? undefined : await readRegistryCredentials(credentialsPath);
    const ca = caPath === undefined ? undefined : await readAuthorities('artifacts.schematic.caPath', caPath);
    const client = new RegistryClient(registry, {
      plain: isInsecure,
      ...(ca !== undefined && { ca }),
      silenceMs: answerMs,
      ...(credentials && { credentials }),
    });
    const store = new RegistrySchematics(client, repository);
    await store.#probe().catch((error: unknown) => {
      const certificate = certificateCodeOf(error);
      if (certificate !== undefined)
        throw wrong(`artifacts.schematic.caPath: ${registry}/${repository}: ${certificate}`);
      const code = codeOf(error);
      const key = code === 'ERR_OCI_DENIED' ? 'credentialsPath' : 'registry';
      throw wrong(`artifacts.schematic.${key}: ${registry}/${repository}: ${code ?? 'no answer'}`);
    });
    return store;
  }

  async put(id: string, text: string): Promise<boolean> {
    if ((await this.get(id)) !== undefined) return false;
    const bytes = Buffer.from(text);
    const layer = descriptorOf(textType, bytes);
    if (layer.digest !== `sha256:${id}`) throw failed('ERR_OCI_DIGEST');
    const config = descriptorOf(emptyType, empty);
    const manifest = formatManifest({
      mediaType: mediaTypes.manifest,
      artifactType,
      config,
      layers: [layer],
    });
    await this.#ask(async (signal) => {
      await this.#client.pushBlob(this.#repository, config, () => once(empty), signal);
      await this.#client.pushBlob(this.#repository, layer, () => once(bytes), signal);
      const named = { bytes: manifest, mediaType: mediaTypes.manifest };
      await this.#client.pushManifest(this.#repository, id, named, signal);
    });
    this.#remember(id, text);
    return true;
  }

  async get(id: string): Promise<string | undefined> {
    const known = this.#texts.get(id);
    const text = known ?? (await this.#ask(async (signal) => await this.#read(id, signal)));
    if (text !== undefined) this.#remember(id, text);
    return text;
  }

  /** Whether it answers now, and soon. */
  async isAnswering(): Promise<boolean> {
    const answer = this.#probe().then(
      () => true,
      () => false,
    );
    return (await within(systemClock, readyMs, answer))?.value ?? false;
  }

  /** Ends what is being asked: a registry that is silent is not waited for. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
  }

  async #ask<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = this.#signal();
    const backoff = new Backoff(pauses);
    try {
      for (;;)
        try {
          return await work(signal);
        } catch (error) {
          const status = error instanceof OciError ? error.status : undefined;
          if (status === undefined || !refusals.includes(status) || backoff.failures === tries - 1)
            throw error;
          await systemClock.sleep(backoff.next(), signal);
        }
    } catch (error) {
      if (this.#closing.signal.aborted) throw failed('the factory ends');
      throw error instanceof FactoryError ? error : failed(codeOf(error) ?? 'it does not answer in time');
    }
  }

  #signal(): AbortSignal {
    return AbortSignal.any([this.#closing.signal, AbortSignal.timeout(answerMs)]);
  }

  async #read(id: string, signal: AbortSignal): Promise<string | undefined> {
    // Not a tag, so nothing is there.
    if (!/^[0-9a-f]{64}$/.test(id)) return undefined;
    const found = await this.#manifest(id, signal);
    if (found === undefined) return undefined;
    const parsed = parseManifest(found);
    const layers = parsed.kind === 'manifest' ? parsed.manifest.layers : [];
    const text = layers.find(({ digest }) => digest === `sha256:${id}`);
    if (text === undefined || text.size > maxBytes) throw failed('ERR_OCI_MANIFEST');
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.#client.blob(this.#repository, text, signal)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  async #manifest(tag: string, signal: AbortSignal): Promise<Buffer | undefined> {
    try {
      return (await this.#client.manifest(this.#repository, tag, signal)).bytes;
    } catch (error) {
      if (error instanceof OciError && error.code === 'ERR_OCI_NOT_FOUND') return undefined;
      throw error;
    }
  }

  async #probe(): Promise<void> {
    await this.#manifest('0'.repeat(64), this.#signal());
  }

  #remember(id: string, text: string): void {
    this.#texts.delete(id);
    this.#texts.set(id, text);
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= kept) break;
      this.#texts.delete(oldest);
    }
  }
}

function descriptorOf(mediaType: string, bytes: Buffer): Descriptor & { readonly digest: Digest } {
  return { mediaType, digest: digestOf(bytes), size: bytes.length };
}

function failed(why: string): FactoryError {
  return new FactoryError('ERR_FACTORY_STORE', `the store of schematics fails: ${why}`);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
