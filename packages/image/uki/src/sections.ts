import { View } from '@nodecore/view';

import { UkiError } from './errors.ts';

/** What systemd-stub measures into PCR 11, in its order, whatever their order in the file is. `.pcrsig` is not among them. */
export const measuredSections = [
  'linux',
  'osrel',
  'cmdline',
  'initrd',
  'ucode',
  'splash',
  'dtb',
  'uname',
  'sbat',
  'pcrpkey',
  'profile',
  'dtbauto',
  'hwids',
] as const;

/** The name of a section that is measured, without its dot. */
export type MeasuredSection = (typeof measuredSections)[number];

/** Sections of an image by name, without the dot. */
export type SectionContents = Readonly<Partial<Record<MeasuredSection, View>>>;

/** What an image is made of. Text is written as UTF-8, without a NUL. */
export type UkiSections = {
  /** os-release(5). With `IMAGE_VERSION`, by which the boot loader sorts: a pre-release has `~` in it, not `-`. */
  readonly osrel: Buffer | string;
  /** The kernel's command line. Everybody can read it: no secrets. */
  readonly cmdline: string;
  /** The kernel's version, as `uname -r` prints it. */
  readonly uname: string;
  readonly linux: View;
  readonly initrd: View;
  /** Microcode, an archive of its own in front of the initrd. */
  readonly ucode?: View;
  /** A picture in BMP. */
  readonly splash?: View;
  /** PEM of the key that signs PCR 11; made of the key when that is given. */
  readonly pcrpkey?: Buffer;
};

/**
 * The contents of the sections, checked.
 *
 * @throws {UkiError} `ERR_UKI_SECTION`
 */
export function contentsOf(sections: UkiSections): SectionContents {
  const { osrel, cmdline, uname, linux, initrd, ucode, splash, pcrpkey } = sections;
  const release = osrel.toString();
  const version = /^IMAGE_VERSION="?(?<version>[^"\n]*)"?$/mu.exec(release)?.groups?.['version'];
  if (version?.includes('-') === true) {
    throw new UkiError(
      'ERR_UKI_SECTION',
      `IMAGE_VERSION ${version} would sort above its final release: write ~ for -`,
    );
  }
  // oxlint-disable-next-line no-control-regex -- these are what a command line can't have
  if (/[\0-\x1f\x7f]/u.test(cmdline))
    throw new UkiError('ERR_UKI_SECTION', 'the command line has control characters');
  if (!/^[\w.+~-]{1,64}$/u.test(uname))
    throw new UkiError('ERR_UKI_SECTION', `${JSON.stringify(uname)} is no kernel version`);
  return {
    osrel: text('osrel', release),
    cmdline: text('cmdline', cmdline),
    uname: text('uname', uname),
    linux,
    initrd,
    ...(ucode && { ucode }),
    ...(splash && { splash }),
    ...(pcrpkey && { pcrpkey: View.of(pcrpkey) }),
  };
}

function text(name: string, content: string): View {
  if (content === '' || content.includes('\0'))
    throw new UkiError('ERR_UKI_SECTION', `.${name} is empty or has a NUL`);
  return View.of(Buffer.from(content));
}
