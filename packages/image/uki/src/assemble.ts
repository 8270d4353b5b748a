import type { KeyObject } from 'node:crypto';

import { appendSections, readPe, type Signer, signPe } from '@nodecore/efi';
import { View } from '@nodecore/view';

import { UkiError } from './errors.ts';
import { measurePcr11 } from './measure.ts';
import { pcrPublicKey, pcrSignature } from './pcr-signature.ts';
import { contentsOf, profileSections, type SectionContents, type UkiSections } from './sections.ts';

export type UkiOptions = {
  /** systemd-stub, 257 or later. */
  readonly stub: View;
  readonly sections: UkiSections;
  /** Signs PCR 11 after the third phase; the image has `.pcrpkey` and `.pcrsig` then. */
  readonly pcrSigningKey?: KeyObject;
  /** Signs the image for Secure Boot. */
  readonly sign?: Signer;
  readonly signal?: AbortSignal;
};

/** The order in the file, that of systemd's own tool. The kernel's memory is behind what the stub reads before it starts it. */
const order = ['osrel', 'cmdline', 'uname', 'splash', 'pcrpkey', 'linux', 'initrd', 'ucode'] as const;
/** IMAGE_DLLCHARACTERISTICS_NX_COMPAT. */
const nxCompatible = 0x100;
const dllCharacteristics = 70;

/**
 * A unified kernel image as a view: the stub with more sections. Kernel and initrd are not copied; they are read once for each
 * of what is asked for: the signature of PCR 11, and that of the image. Equal inputs give equal bytes.
 *
 * @throws {UkiError} `ERR_UKI_SECTION`, `ERR_UKI_KEY`
 * @throws {EfiError} `ERR_EFI_PE` for a stub that has no room, `ERR_EFI_KEY`
 * @example
 * ```ts
 * const keys = await loadSecureBootKeys('_out');
 * const image = await assembleUki({ stub, sections, pcrSigningKey: keys.pcrKey, sign: keys.signer });
 * await image.writeTo('nodeos.efi');
 * ```
 */
export async function assembleUki(options: UkiOptions): Promise<View> {
  const { stub, pcrSigningKey, sign, signal } = options;
  const pe = await readPe(stub);
  const contents = withKey(contentsOf(options.sections), options);
  const parts = order.flatMap((name) => {
    const content = contents[name];
    return content === undefined ? [] : [{ name: `.${name}`, content, code: name === 'linux' }];
  });
  if (pcrSigningKey !== undefined) {
    const sbat = pe.sections.find(({ name }) => name === '.sbat');
    const measured = {
      ...contents,
      ...(sbat && { sbat: stub.slice(sbat.offset, sbat.offset + Math.min(sbat.size, sbat.virtualSize)) }),
    };
    const signature = await pcrSignature(await measurePcr11(measured), pcrSigningKey);
    parts.push({ name: '.pcrsig', content: View.of(signature), code: false });
  }
  // Behind all that every profile has; the stub takes what comes after it for this one's own.
  if (contents.profile !== undefined)
    parts.push({ name: '.profile', content: contents.profile, code: false });
  for (const part of profileSections(options.sections)) parts.push({ ...part, code: false });
  const image = appendSections(pe, parts, await flagsToClear(contents));
  return sign === undefined ? image : await signPe(image, sign, signal);
}

function withKey(contents: SectionContents, { pcrSigningKey, sections }: UkiOptions): SectionContents {
  if (pcrSigningKey === undefined) return contents;
  const pem = pcrPublicKey(pcrSigningKey);
  if (sections.pcrpkey !== undefined && !pem.equals(sections.pcrpkey)) {
    throw new UkiError('ERR_UKI_KEY', '.pcrpkey is not the key that signs PCR 11');
  }
  return { ...contents, pcrpkey: View.of(pem) };
}

/** Firmware that enforces it wants stub and kernel to say the same about memory that is not executable. */
async function flagsToClear({ linux }: SectionContents): Promise<number> {
  if (linux === undefined) return 0;
  const kernel = await readPe(linux);
  const flags = kernel.headers.readUInt16LE(kernel.at.optional + dllCharacteristics);
  return nxCompatible & ~flags;
}
