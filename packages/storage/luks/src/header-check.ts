import { LuksError, refusedWhole } from './errors.ts';
import {
  conflicting,
  type HeaderCopies,
  type HeaderVerdict,
  judgeCopies,
  readDeviceCopies,
  reasonsOf,
} from './header-copies.ts';
import type { HeaderCopy } from './header-copy.ts';
import { withJsonText } from './json-text.ts';
import type { ReadOptions } from './read-options.ts';
import { loadHandle } from './load.ts';
import { exclusively } from './queue.ts';
import { readSignature } from './signature.ts';

/** What a copy says of itself where its checksum is right. */
export type HeaderCopyFacts = {
  /** Raised by every change. As JSON it is decimal text. */
  readonly sequence: bigint;
  readonly uuid: string;
  readonly label: string;
  /** Where the copy begins and how long it is, in bytes. */
  readonly offset: number;
  readonly sizeBytes: number;
  readonly checksum: 'sha256' | 'sha512';
};

/** One copy of a header as it is on the disk. */
export type HeaderCopyState =
  | (HeaderCopyFacts & { readonly state: 'valid' })
  /** What it says is no LUKS2 header: no program loads it, and no crash leaves it behind. */
  | (HeaderCopyFacts & { readonly state: 'invalid'; readonly reason: string })
  | { readonly state: 'missing' }
  | { readonly state: 'damaged'; readonly reason: string };

export type HeaderCheck = {
  readonly primary: HeaderCopyState;
  readonly secondary: HeaderCopyState;
  readonly verdict: HeaderVerdict;
};

export type HeaderRepair = { readonly repaired: 'primary' | 'secondary' | 'none' };

/**
 * Looks at both copies of a header with our own reader: magic numbers, versions, sizes, checksums, whether what each says
 * is a LUKS2 header that libcryptsetup loads, and whether they say the same. Nothing is repaired, which loading the header
 * would do, and no key is needed. Whether we would open it is another question: we open less than the library loads.
 */
export async function check(device: string, options: ReadOptions = {}): Promise<HeaderCheck> {
  // In the queue: a header that another operation of ours is writing looks damaged for a moment.
  return await exclusively({ device, signal: options.signal }, async () => {
    const copies = await readDeviceCopies(device);
    const { verdict } = judgeCopies(copies);
    return { primary: describeCopy(copies.primary), secondary: describeCopy(copies.secondary), verdict };
  });
}

function describeCopy(copy: HeaderCopy): HeaderCopyState {
  if (copy.state === 'missing' || copy.state === 'damaged') return copy;
  const { sequence, uuid, label, offset, sizeBytes, checksum } = copy;
  const facts = { sequence, uuid, label, offset, sizeBytes, checksum };
  return withJsonText<HeaderCopyState>(
    copy.state === 'valid'
      ? { state: 'valid', ...facts }
      : { state: 'invalid', reason: copy.reason, ...facts },
  );
}

/**
 * Writes the copy that is damaged, missing or older anew, from the valid one, and says which it was.
 *
 * @throws {LuksError} `ERR_LUKS_DAMAGED` when no copy is valid, `ERR_LUKS_UNSUPPORTED` when one would be by its checksum,
 *   with what is wrong with it, `ERR_LUKS_MISMATCH` when both are and contradict each other: nothing is written then, and
 *   the way out is a backup of the header.
 */
export async function repair(device: string, options: ReadOptions = {}): Promise<HeaderRepair> {
  return await exclusively({ device, signal: options.signal }, async () => {
    const before = await readDeviceCopies(device);
    const { verdict, newest } = judgeCopies(before);
    if (verdict === 'consistent') return { repaired: 'none' };
    if (newest === undefined) throw await beyondRepair(device, verdict, before);
    await (await loadHandle(device, 'crypt_repair'))[Symbol.asyncDispose]();
    const after = judgeCopies(await readDeviceCopies(device));
    if (after.verdict !== 'consistent') {
      throw new LuksError(
        'ERR_LUKS_DAMAGED',
        device,
        '',
        `${device}: the header is ${after.verdict} after its repair`,
      );
    }
    return { repaired: newest.offset === 0 ? 'secondary' : 'primary' };
  });
}

async function beyondRepair(
  device: string,
  verdict: HeaderVerdict,
  copies: HeaderCopies,
): Promise<LuksError> {
  if (verdict === 'conflicting') return conflicting(device);
  if (verdict === 'invalid') return refusedWhole(device, reasonsOf(copies));
  const signature = await readSignature(device);
  if (signature === 'luks1')
    return new LuksError('ERR_LUKS_VERSION', device, '', `${device}: LUKS version 1`);
  if (signature === 'none')
    return new LuksError('ERR_LUKS_NOT_LUKS', device, '', `${device}: no LUKS header`);
  return new LuksError(
    'ERR_LUKS_DAMAGED',
    device,
    '',
    `${device}: neither copy of the LUKS2 header is valid; it takes a backup and header.restore to open it again`,
  );
}
