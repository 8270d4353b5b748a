import { assertDigest, type Digest, DigestCheck, digestOf, isDigest } from '../digest.ts';
import { OciError } from '../errors.ts';
import {
  acceptedManifests,
  type Descriptor,
  type Manifest,
  parseManifest,
  type Platform,
  platformOf,
} from '../manifest.ts';
import { formatReference, type Reference } from '../reference.ts';
import { Asker, type Credentials } from './asker.ts';
import { endpointOf } from './endpoint.ts';
import { chunksOf } from './chunks.ts';
import { hasBlob, pushBlob, pushManifest } from './push.ts';

/** Far above any manifest. */
const largestManifest = 4 * 1024 * 1024;

export type RegistryClientOptions = {
  /** For a registry that wants some; sent to nobody else. */
  readonly credentials?: Credentials;
  /** Asked in plain text, wherever it is: somebody on the way can hand out other tags, and sees the credentials. */
  readonly plain?: boolean;
  /** Authorities of the registry in PEM, in place of those that come with Node.js; without `plain`. */
  readonly ca?: string;
  /** How long a registry may be silent in the middle of a blob; 60 s by default. */
  readonly silenceMs?: number;
};

/**
 * Pulls from one registry, and pushes to it. Nothing that it gives is other than what was asked for by digest.
 *
 * @example
 * const reference = parseReference('127.0.0.1:8081/metal-installer/376567988ad3…:v1.14.0');
 * const client = new RegistryClient(reference.registry);
 * const { manifest } = await client.image(reference, { os: 'linux', architecture: 'amd64' });
 * for (const layer of manifest.layers)
 *   for await (const file of layerFiles(client.blob(reference.repository, layer))) console.log(file.path);
 */
export class RegistryClient {
  readonly #asker: Asker;
  readonly #silenceMs: number;

  /** @param registry as {@link Reference} has it; plain HTTP only for an address that is near. */
  constructor(registry: string, options: RegistryClientOptions = {}) {
    const { credentials, plain = false, ca } = options;
    this.#asker = new Asker(endpointOf(registry, { plain, ca }), { credentials, plain, ca });
    this.#silenceMs = options.silenceMs ?? 60_000;
  }

  /**
   * The bytes of a manifest or index by tag or digest.
   *
   * @throws {OciError} with `ERR_OCI_NOT_FOUND`, with `ERR_OCI_DIGEST` when they are other bytes, and as `blob`.
   */
  async manifest(
    repository: string,
    reference: string,
    signal?: AbortSignal,
  ): Promise<{ readonly bytes: Buffer; readonly digest: Digest }> {
    const answer = await this.#asker.ask(`/v2/${repository}/manifests/${reference}`, pull(repository), {
      headers: { accept: acceptedManifests.join(', ') },
      ...(signal === undefined ? {} : { signal }),
    });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of chunksOf(answer, this.#silenceMs, signal)) {
      size += chunk.length;
      if (size > largestManifest)
        throw new OciError('ERR_OCI_MANIFEST', `${repository}: a manifest above ${largestManifest} bytes`);
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    if (isDigest(reference)) assertDigest(bytes, reference);
    return { bytes, digest: isDigest(reference) ? reference : digestOf(bytes) };
  }

  /**
   * The image under a reference; of an index the one for the platform.
   *
   * @returns with the digest of the manifest itself.
   * @throws {OciError} as {@link RegistryClient.manifest} and `parseManifest` do.
   */
  async image(
    reference: Reference,
    platform: Platform,
    signal?: AbortSignal,
  ): Promise<{ readonly manifest: Manifest; readonly digest: Digest }> {
    const { repository, tag, digest } = reference;
    const first = await this.manifest(repository, digest ?? tag ?? 'latest', signal);
    const parsed = parseManifest(first.bytes);
    if (parsed.kind === 'manifest') return { manifest: parsed.manifest, digest: first.digest };
    const chosen = platformOf(parsed.index, platform);
    const second = parseManifest((await this.manifest(repository, chosen.digest, signal)).bytes);
    if (second.kind === 'manifest') return { manifest: second.manifest, digest: chosen.digest };
    throw new OciError('ERR_OCI_MANIFEST', `${formatReference(reference)}: an index in an index`);
  }

  /**
   * The bytes of a blob as they come. They are hashed on their way: who has read to the end without an error has had what
   * the descriptor names; before the end nothing is proven.
   *
   * @throws {OciError} with `ERR_OCI_DIGEST`; with `ERR_OCI_UNAVAILABLE` when the connection ends or is silent.
   */
  async *blob(
    repository: string,
    descriptor: Pick<Descriptor, 'digest' | 'size'>,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const check = new DigestCheck(descriptor.digest, descriptor.size);
    for await (const chunk of this.blobFrom(repository, descriptor, 0, signal)) {
      check.update(chunk);
      yield chunk;
    }
    check.end();
  }

  /** The bytes of a blob from a place on, not checked: for who has those before it and checks all of them. */
  async *blobFrom(
    repository: string,
    { digest }: Pick<Descriptor, 'digest'>,
    start: number,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const answer = await this.#asker.ask(`/v2/${repository}/blobs/${digest}`, pull(repository), {
      ...(start === 0 ? {} : { headers: { range: `bytes=${start}-` } }),
      ...(signal === undefined ? {} : { signal }),
    });
    let skip = answer.status === 206 ? 0 : start; // a registry without ranges sends all of it
    for await (const chunk of chunksOf(answer, this.#silenceMs, signal)) {
      if (skip < chunk.length) yield chunk.subarray(skip);
      skip = Math.max(0, skip - chunk.length);
    }
  }

  /** Whether a repository has a blob, for who may push there. */
  async hasBlob(repository: string, digest: Digest, signal?: AbortSignal): Promise<boolean> {
    return await hasBlob(this.#asker, { repository, signal }, digest);
  }

  /**
   * Gives a repository a blob, unless it has it. The bytes are hashed on their way: others than the descriptor's never get its name.
   *
   * @param content all of its bytes; called again when they have to be sent again.
   * @throws {OciError} with `ERR_OCI_DIGEST`; with `ERR_OCI_UNAVAILABLE` when the registry takes nothing for a while; what `content` throws.
   * @returns whether it was not there.
   */
  async pushBlob(
    repository: string,
    descriptor: Pick<Descriptor, 'digest' | 'size'>,
    content: () => AsyncIterable<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const silenceMs = this.#silenceMs;
    return await pushBlob(this.#asker, { repository, signal, silenceMs }, descriptor, content);
  }

  /**
   * Gives a manifest a tag. All that it names must be there.
   *
   * @throws {OciError} with `ERR_OCI_DIGEST` when the registry says that it has taken something else.
   */
  async pushManifest(
    repository: string,
    tag: string,
    manifest: { readonly bytes: Uint8Array; readonly mediaType: string },
    signal?: AbortSignal,
  ): Promise<void> {
    await pushManifest(this.#asker, { repository, signal }, tag, manifest);
  }
}

function pull(repository: string): string {
  return `repository:${repository}:pull`;
}
