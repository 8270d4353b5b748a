import { Once } from '../once.ts';
import { Turns } from '../turns.ts';
import { attest, predicates } from './attestation.ts';
import type { AssetRequest, Proof } from './asset.ts';
import type { InstallerKey } from './installer-key.ts';

/** Reads through the bytes of an image, while somebody waits for it. @returns hex. */
type Digest = (algorithm: 'sha256' | 'sha512', signal: AbortSignal) => Promise<string>;

/** A disk of 8 GiB takes some ten seconds of a processor. */
const hashing = { atOnce: 2, maxWaiting: 32 };

/** What proves images: lines with their checksums, and signatures by the key that nodes have. Each is worked out once. */
export class Proofs {
  readonly #key: InstallerKey;
  readonly #checksums = new Once<string>(1024);
  readonly #turns = new Turns(hashing);

  constructor(key: InstallerKey) {
    this.#key = key;
  }

  /** PEM of what verifies signatures. */
  get publicKey(): string {
    return this.#key.publicPem;
  }

  /**
   * @param etag of the image: the same for the same bytes.
   * @param signal fires when who asks is gone.
   * @throws {FactoryError} with `ERR_FACTORY_OVERLOADED`; what `digest` throws.
   */
  async text(
    proof: Proof,
    { fileName }: Pick<AssetRequest, 'fileName'>,
    {
      etag,
      digest,
      signal,
    }: { readonly etag: string; readonly digest: Digest; readonly signal: AbortSignal },
  ): Promise<string> {
    const algorithm = proof === 'signature' ? 'sha256' : proof;
    const hex = await this.#checksums.get(
      `${algorithm} ${etag}`,
      ({ gone }) => this.#turns.run(() => digest(algorithm, gone), gone),
      signal,
    );
    if (proof !== 'signature') return `${hex}  ${fileName}\n`;
    const statement = { predicateType: predicates.signature, predicate: {} };
    return `${attest({ name: fileName, digest: hex, ...statement }, this.#key).toString()}\n`;
  }
}
