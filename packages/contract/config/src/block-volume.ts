import { type Place } from './place.ts';
import { checkEncryption } from './encryption.ts';
import { readProvisioning } from './provisioning.ts';
import { type Blanking, type RawVolume, type SwapVolume, type VolumeBlocks } from './types.ts';
import { defaultMinSize } from './user-volume.ts';

type Parts = Pick<RawVolume, 'name' | 'provisioning' | 'encryption'>;

/** Reads a `RawVolumeConfig`. */
export function readRawVolume(root: Place, blocks?: VolumeBlocks): RawVolume | undefined {
  const parts = readParts(root, blocks);
  const blank = readBlank(root, parts);
  return parts && { kind: 'raw', id: `r-${parts.name}`, ...parts, blank };
}

/** Reads a `SwapVolumeConfig`. */
export function readSwapVolume(root: Place, blocks?: VolumeBlocks): SwapVolume | undefined {
  const parts = readParts(root, blocks);
  return parts && { kind: 'swap', id: `s-${parts.name}`, ...parts };
}

/** What is no method at all is refused by the shape of the document. */
function readBlank(root: Place, parts: Parts | undefined): Blanking {
  const field = root.get('provisioning')?.get('blank');
  const method = field?.text();
  if (method === 'discard' && parts !== undefined && root.get('encryption')?.isMapping() === true)
    field?.problem(
      'blank.encrypted',
      'what is discarded below an encryption reads as noise: take zeroes, which are written through it, or none',
    );
  return method === 'discard' || method === 'none' ? method : 'zeroes';
}

function readParts(root: Place, { encryption }: VolumeBlocks = {}): Parts | undefined {
  const name = root.get('name')?.text();
  const provisioning = readProvisioning(root, {
    rules: 'partition',
    defaults: { minSize: defaultMinSize, grow: false },
  });
  checkEncryption(root, { state: false });
  if (name === undefined) return undefined;
  return { name, provisioning, ...(encryption === undefined ? {} : { encryption }) };
}
