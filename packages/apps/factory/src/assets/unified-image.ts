import { appendSections, readPe, type SecureBootKeys, signPe } from '@nodecore/efi';
import { View } from '@nodecore/view';

/** IMAGE_DLLCHARACTERISTICS_NX_COMPAT: the stub's word for itself does not hold for the kernel that it starts. */
const nxCompatible = 0x0100;

/** What a unified kernel image is put together from. */
export type UnifiedImageParts = {
  readonly stub: View;
  readonly osrel: string;
  readonly cmdline: string;
  readonly uname: string;
  readonly linux: View;
  readonly initrd: View;
  readonly signer: SecureBootKeys['signer'] | undefined;
};

/** A unified kernel image: the boot stub with sections that it measures and starts from; signed when there is a signer. */
export async function unifiedImage({ stub, signer, ...parts }: UnifiedImageParts): Promise<View> {
  const image = appendSections(
    await readPe(stub),
    [
      { name: '.osrel', content: text(parts.osrel) },
      { name: '.cmdline', content: text(parts.cmdline) },
      { name: '.uname', content: text(parts.uname) },
      { name: '.initrd', content: parts.initrd },
      { name: '.linux', content: parts.linux, code: true },
    ],
    nxCompatible,
  );
  return signer === undefined ? image : await signPe(image, signer);
}

function text(content: string): View {
  return View.of(Buffer.from(content));
}
