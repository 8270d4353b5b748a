import { View } from '@nodecore/view';

import { UkiError } from './errors.ts';
import { extractSections } from './extract.ts';

/** What a kernel is started with. */
export type KernelParts = {
  readonly linux: View;
  /** Microcode, where the image has it, and behind it the first filesystem. */
  readonly initrd: View;
  readonly commandLine: string;
};

/** As much of a command line as any kernel takes is far less. */
const longestLine = 64 * 1024;
/** What the stub would hand over beside these, or choose by the machine. */
const unknownHere: readonly string[] = ['profile', 'dtb', 'dtbauto', 'hwids', 'efifw'];

/**
 * The kernel of a unified kernel image and what the stub hands over to it. Beside this the stub adds what it finds around the image,
 * addons and credentials, and its own files below `/.extra`; these are not here.
 *
 * @throws {UkiError} `ERR_UKI_SECTION` for an image whose kernel would be started otherwise; {@link EfiError} for what is no PE file.
 */
export async function kernelParts(image: View): Promise<KernelParts> {
  const sections = await extractSections(image);
  const unknown = unknownHere.find((name) => sections.has(name));
  if (unknown !== undefined) throw new UkiError('ERR_UKI_SECTION', `the image has .${unknown}`);
  const section = (name: string): View => {
    const found = sections.get(name);
    if (found !== undefined && found.size > 0) return found;
    throw new UkiError('ERR_UKI_SECTION', `the image has no .${name}`);
  };
  const line = section('cmdline');
  if (line.size > longestLine)
    throw new UkiError('ERR_UKI_SECTION', `the command line has ${line.size} bytes`);
  const text = (await line.bytes()).toString('latin1').replace(/[\0\s]+$/u, '');
  // oxlint-disable-next-line no-control-regex -- these are what a command line can't have
  if (/[\0-\x1f\x7f-\xff]/u.test(text))
    throw new UkiError('ERR_UKI_SECTION', 'the command line has what is no printable ASCII');
  const ucode = sections.get('ucode');
  // Each archive begins at four bytes, as the kernel wants it; the stub fills up in the same way.
  const initrd =
    ucode === undefined ? section('initrd') : View.of(ucode, padding(ucode.size), section('initrd'));
  return { linux: section('linux'), initrd, commandLine: text };
}

function padding(size: number): Uint8Array {
  return new Uint8Array((4 - (size % 4)) % 4);
}
