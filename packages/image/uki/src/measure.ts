import { createHash } from 'node:crypto';

import type { View } from '@nodecore/view';

import { extractSections } from './extract.ts';
import { measuredSections, type SectionContents } from './sections.ts';

/** What PID 1 extends PCR 11 with before a volume may open. After them the window is open; `start-the-world` closes it. */
export const openPhases: readonly string[] = ['enter-initrd', 'leave-initrd', 'enter-machined'];

/**
 * The value of PCR 11 (SHA-256 bank) after systemd-stub 257 has started an image with these sections, and after these phases.
 * The one place where it is computed: for signatures, for predictions, for tests.
 *
 * @param sections all that the image has, `.sbat` of the stub among them.
 */
export async function measurePcr11(
  sections: SectionContents,
  phases: readonly string[] = openPhases,
): Promise<Buffer> {
  let value: Buffer = Buffer.alloc(32);
  for (const name of measuredSections) {
    const content = sections[name];
    if (content === undefined) continue;
    value = extend(value, sha256(Buffer.from(`.${name}\0`)));
    value = extend(value, await content.digest('sha256'));
  }
  for (const phase of phases) value = extend(value, sha256(Buffer.from(phase)));
  return value;
}

/**
 * The same for a finished image.
 *
 * @throws {UkiError} `ERR_UKI_SECTION` for what is no unified kernel image; {@link EfiError} for what is no PE file.
 */
export async function predictPcr11(image: View, phases: readonly string[] = openPhases): Promise<Buffer> {
  const found = await extractSections(image);
  const known = measuredSections.flatMap((name) => {
    const content = found.get(name);
    return content === undefined ? [] : [[name, content] as const];
  });
  return await measurePcr11(Object.fromEntries(known), phases);
}

function extend(value: Uint8Array, digest: Uint8Array): Buffer {
  return createHash('sha256').update(value).update(digest).digest();
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
