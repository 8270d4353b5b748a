import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, writeFileAtomic } from '@nodecore/sys';

import { writeBlob } from '../client/download.ts';
import { assertDigest, type Digest, isDigest } from '../digest.ts';
import { OciError } from '../errors.ts';
import { type Descriptor, mediaTypes, parseManifest } from '../manifest.ts';

/** Far above any manifest or index. */
const largestDocument = 4 * 1024 * 1024;

/** A link is followed nowhere, and nobody waits for a pipe: a layout may come from somebody else. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The annotation of a manifest in `index.json` that is its tag. */
const tagAnnotation = 'org.opencontainers.image.ref.name';

/**
 * A directory of images as the OCI image layout 1.0.0 has it: `oci-layout`, `index.json`, `blobs/sha256/…`. Reads as
 * `RegistryClient` does, so either can be pulled from; the name of a repository means nothing here.
 */
export class OciLayout {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** @throws {OciError} with `ERR_OCI_NOT_FOUND` for a directory that is none, with `ERR_OCI_MANIFEST` for one of another version. */
  static async open(directory: string): Promise<OciLayout> {
    const layout = new OciLayout(directory);
    const text = await layout.#document('oci-layout');
    if (objectOf(text, 'oci-layout')['imageLayoutVersion'] !== '1.0.0')
      throw new OciError('ERR_OCI_MANIFEST', `${directory}: oci-layout: imageLayoutVersion must be 1.0.0`);
    return layout;
  }

  /** Opens it, or makes an empty one where nothing is. */
  static async create(directory: string): Promise<OciLayout> {
    try {
      return await OciLayout.open(directory);
    } catch (error) {
      if (!(error instanceof OciError) || error.code !== 'ERR_OCI_NOT_FOUND') throw error;
    }
    const layout = new OciLayout(directory);
    await mkdir(join(directory, 'blobs/sha256'), { recursive: true });
    const index = { schemaVersion: 2, mediaType: mediaTypes.index, manifests: [] };
    await layout.#write('index.json', index);
    await layout.#write('oci-layout', { imageLayoutVersion: '1.0.0' }); // the last, so that there never is half of one
    return layout;
  }

  /** Its tags, in their order. */
  async tags(): Promise<readonly string[]> {
    const found = (await this.#manifests()).flatMap(({ annotations }) => annotations?.[tagAnnotation] ?? []);
    return [...new Set(found)].sort();
  }

  /**
   * The bytes of a manifest by tag or digest.
   *
   * @throws {OciError} with `ERR_OCI_NOT_FOUND`; with `ERR_OCI_DIGEST` when they are others.
   */
  async manifest(
    _repository: string,
    reference: string,
  ): Promise<{ readonly bytes: Buffer; readonly digest: Digest }> {
    const found = isDigest(reference)
      ? [reference]
      : (await this.#manifests()).flatMap(({ annotations, digest }) =>
          annotations?.[tagAnnotation] === reference ? [digest] : [],
        );
    const [digest, other] = new Set(found);
    if (digest === undefined)
      throw new OciError('ERR_OCI_NOT_FOUND', `${this.#directory}: it has no ${reference}`);
    if (other !== undefined)
      throw new OciError('ERR_OCI_MANIFEST', `${this.#directory}: index.json: ${reference} is there twice`);
    const bytes = await this.#document(placeOf(digest));
    assertDigest(bytes, digest);
    return { bytes, digest };
  }

  /** The bytes of a blob from a place on, not checked: for who has those before it and checks all of them. */
  async *blobFrom(
    _repository: string,
    { digest }: Pick<Descriptor, 'digest'>,
    start: number,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    await using file = await this.#open(placeOf(digest));
    for await (const chunk of file.createReadStream({
      start,
      autoClose: false,
      highWaterMark: 256 * 1024,
      signal,
    }))
      yield chunk as Buffer;
  }

  /** Whether a blob of this size is there; its bytes are not read. */
  async hasBlob({ digest, size }: Pick<Descriptor, 'digest' | 'size'>): Promise<boolean> {
    try {
      await using file = await this.#open(placeOf(digest));
      return (await file.stat()).size === size;
    } catch (error) {
      if (error instanceof OciError && error.code === 'ERR_OCI_NOT_FOUND') return false;
      throw error;
    }
  }

  /**
   * Writes a blob; what an interrupted call left is gone on with.
   *
   * @param from its bytes from a place on.
   * @throws {OciError} with `ERR_OCI_DIGEST` when they are others; then it is not there.
   */
  async putBlob(
    descriptor: Pick<Descriptor, 'digest' | 'size'>,
    from: (start: number) => AsyncIterable<Uint8Array>,
  ): Promise<void> {
    await writeBlob(join(this.#directory, placeOf(descriptor.digest)), descriptor, from, 0o644);
  }

  /**
   * Gives a manifest, whose blob is there, a tag. What else is in the layout stays as it is. One call at a time for a layout.
   *
   */
  async tag(
    tag: string,
    { mediaType, digest, size }: Pick<Descriptor, 'mediaType' | 'digest' | 'size'>,
  ): Promise<void> {
    const index = objectOf(await this.#document('index.json'), 'index.json');
    const manifests = (Array.isArray(index['manifests']) ? index['manifests'] : []) as Descriptor[];
    const others = manifests.filter((each) => each.annotations?.[tagAnnotation] !== tag);
    const ours = { mediaType, digest, size, annotations: { [tagAnnotation]: tag } };
    await this.#write('index.json', { ...index, manifests: [...others, ours] });
  }

  async #manifests(): Promise<readonly Descriptor[]> {
    const parsed = parseManifest(await this.#document('index.json'));
    if (parsed.kind === 'index') return parsed.index.manifests;
    throw new OciError('ERR_OCI_MANIFEST', `${this.#directory}: index.json is no index`);
  }

  async #open(name: string): Promise<FileHandle> {
    const path = join(this.#directory, name);
    try {
      await using opened = new AsyncDisposableStack();
      const file = opened.use(await open(path, flags));
      if (!(await file.stat()).isFile()) throw new OciError('ERR_OCI_MANIFEST', `${path}: no file`);
      opened.move();
      return file;
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT' || code === 'ENOTDIR')
        throw new OciError('ERR_OCI_NOT_FOUND', `${path}: it is not there`, { cause: error });
      if (code === 'ELOOP') throw new OciError('ERR_OCI_MANIFEST', `${path}: no file`, { cause: error });
      throw error;
    }
  }

  async #document(name: string): Promise<Buffer> {
    await using file = await this.#open(name);
    const { size } = await file.stat();
    if (size > largestDocument)
      throw new OciError(
        'ERR_OCI_MANIFEST',
        `${join(this.#directory, name)}: above ${largestDocument} bytes`,
      );
    return await file.readFile();
  }

  async #write(name: string, value: unknown): Promise<void> {
    await writeFileAtomic(join(this.#directory, name), JSON.stringify(value), { mode: 0o644 });
  }
}

function placeOf(digest: Digest): string {
  return `blobs/${digest.replace(':', '/')}`;
}

function objectOf(bytes: Buffer, what: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // said below
  }
  throw new OciError('ERR_OCI_MANIFEST', `${what}: no JSON object`);
}
