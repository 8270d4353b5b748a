import { bundleType } from '../assets/attestation.ts';
import { type AssetRequest, contentTypeOf, parseAsset } from '../assets/asset.ts';
import type { KnownSchematic } from '../assets/images.ts';
import type { Proofs } from '../assets/proofs.ts';
import type { Factory, Viewer } from '../factory.ts';
import type { FactoryMetrics } from '../metrics/metrics.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import { type Answer, textAnswer } from './answer.ts';
import { isKnown } from './conditions.ts';
import { downloadName, forEver, imageAnswer, type ImageConditions, unchangedAnswer } from './image-answer.ts';

/** A request for an image, or for what proves one. */
export type ImageRequest = ImageConditions & {
  readonly path: Readonly<Record<'schematic' | 'version' | 'path', string>>;
  readonly method: string;
  /** What a download is to be called. */
  readonly filename: string | undefined;
  readonly viewer: Viewer | undefined;
  /** Fires when nobody waits for the answer any more. */
  readonly gone: AbortSignal;
};

/** What is asked for, all of it known. */
type Wanted = AssetRequest & {
  readonly release: LoadedRelease;
  readonly schematic: KnownSchematic;
  readonly etag: string;
};

export type ImageAnswersOptions = {
  readonly factory: Factory;
  readonly proofs: Proofs;
  readonly metrics: FactoryMetrics | undefined;
};

/** Answers requests for images. */
export class ImageAnswers {
  readonly #factory: Factory;
  readonly #proofs: Proofs;
  readonly #metrics: FactoryMetrics | undefined;

  constructor({ factory, proofs, metrics }: ImageAnswersOptions) {
    this.#factory = factory;
    this.#proofs = proofs;
    this.#metrics = metrics;
  }

  async answer(request: ImageRequest): Promise<Answer> {
    const { path, viewer } = request;
    const { downloads, images, releases } = this.#factory;
    const named = parseAsset(path.path);
    const schematic = await this.#factory.schematic(path.schematic, viewer);
    const release = releases.get(path.version);
    const etag = downloads.etag(release, schematic, named.asset);
    images.assertMade(release, schematic, named.asset);
    const wanted = { ...named, release, schematic, etag };
    return await (named.proof === undefined
      ? this.#image(wanted, request)
      : this.#proof(wanted, named.proof, request));
  }

  async #image(wanted: Wanted, request: ImageRequest): Promise<Answer> {
    const { asset, release, schematic, etag } = wanted;
    const about = {
      ...request,
      etag,
      contentType: contentTypeOf(asset),
      fileName: downloadName(request.filename, wanted.fileName),
      sha256: asset.kind === 'kernel' ? release.sha256(asset.architecture, 'kernel') : undefined,
    };
    // Who has these bytes has them, and who wants others gets none: nothing is made to say so.
    if (isKnown(request, `"${etag}"`) && request.ifNoneMatch !== '*') return unchangedAnswer(about);
    let madeSeconds: number | undefined;
    const making = {
      onMade: (seconds: number): void => void (madeSeconds = seconds),
      signal: request.gone,
    };
    using opened = new DisposableStack();
    const held = opened.use(await this.#factory.downloads.open(release, schematic, asset, making));
    const answer = imageAnswer(held.view, about);
    const bytes = request.method === 'HEAD' ? 0 : Number(answer.headers['content-length'] ?? 0);
    const extensions = schematic.schematic.customization?.systemExtensions?.officialExtensions ?? [];
    if (madeSeconds !== undefined || bytes > 0)
      this.#metrics?.delivered({ asset, version: release.version, extensions, madeSeconds, bytes });
    return { ...answer, held: opened.move() };
  }

  async #proof(
    { asset, fileName, release, schematic, etag: etagOfImage }: Wanted,
    proof: NonNullable<AssetRequest['proof']>,
    request: ImageRequest,
  ): Promise<Answer> {
    downloadName(request.filename, fileName); // refused, or not asked for
    const etag = `"${etagOfImage}-${proof}"`;
    const headers = {
      etag,
      'cache-control': forEver,
      'content-type': proof === 'signature' ? bundleType : 'text/plain; charset=utf-8',
    };
    if (isKnown(request, etag) && request.ifNoneMatch !== '*') return { status: 304, headers };
    const digest = async (algorithm: 'sha256' | 'sha512', signal: AbortSignal): Promise<string> => {
      using held = await this.#factory.downloads.open(release, schematic, asset, { signal });
      return (await held.view.digest(algorithm, signal)).toString('hex');
    };
    const text = await this.#proofs.text(
      proof,
      { fileName },
      { etag: etagOfImage, digest, signal: request.gone },
    );
    return textAnswer(200, text, headers);
  }
}
