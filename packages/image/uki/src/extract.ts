import { readPe } from '@nodecore/efi';
import type { View } from '@nodecore/view';

import { UkiError } from './errors.ts';

/**
 * The sections of a unified kernel image by name, without the dot, each as a view of the image: nothing but headers is read.
 * Sections of the stub's own program are among them; of an image with profiles those of the first, which starts unless somebody chooses
 * another.
 *
 * @throws {UkiError} `ERR_UKI_SECTION` when it has no kernel, or one name twice.
 * @throws {EfiError} `ERR_EFI_PE` for a file whose sections are not where they can be.
 */
export async function extractSections(image: View): Promise<ReadonlyMap<string, View>> {
  const { sections } = await readPe(image);
  const found = new Map<string, View>();
  for (const { name, offset, size, virtualSize } of sections) {
    const key = name.replace(/^\./u, '');
    if (key === 'profile' && found.has(key)) break; // what follows is of the next one
    if (found.has(key)) throw new UkiError('ERR_UKI_SECTION', `the image has ${JSON.stringify(name)} twice`);
    // Behind the content is padding; memory that the file does not have reads as zeros.
    const content = image.slice(offset, offset + Math.min(size, virtualSize));
    found.set(key, content);
  }
  if (!found.has('linux'))
    throw new UkiError('ERR_UKI_SECTION', 'the image has no kernel: not a unified kernel image');
  return found;
}
