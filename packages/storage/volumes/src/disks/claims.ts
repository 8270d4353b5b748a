import { VolumeError } from '../errors.ts';
import type { Found } from '../facts/facts.ts';

/** Which volume has which partition or disk. The last guard against two volumes on one device. */
export class Claims {
  readonly #owners = new Map<string, string>();

  /** @throws {VolumeError} `ERR_VOLUME_CLAIMED` when another volume has it. */
  take(volumeId: string, found: Found): void {
    const key = keyOf(found);
    const owner = this.#owners.get(key) ?? volumeId;
    if (owner !== volumeId)
      throw new VolumeError(
        'ERR_VOLUME_CLAIMED',
        volumeId,
        `${found.devPath} belongs to volume ${owner}`,
        'needs-operator',
      );
    this.release(volumeId);
    this.#owners.set(key, volumeId);
  }

  release(volumeId: string): void {
    for (const [key, owner] of this.#owners) if (owner === volumeId) this.#owners.delete(key);
  }
}

/** The same for a partition, whether it was found as one that the agent makes or as an existing one. */
function keyOf({ partition, existing, devPath }: Found): string {
  const guid = partition?.partitionGuid ?? existing?.partitionUuid ?? '';
  return guid === '' ? devPath : guid.toLowerCase();
}
