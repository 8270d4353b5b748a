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
  /** Other ways to start the image, which a boot loader shows beside the first one; it starts none of them by itself. */
  readonly profiles?: readonly UkiProfile[];
};

/** A way to start an image with another command line: a line of the boot menu. */
export type UkiProfile = {
  /** Of the menu's entry: small letters, digits and `-`. */
  readonly id: string;
  /** For people. */
  readonly title: string;
  readonly cmdline: string;
};

/** The way to start an image that has others, which is measured as well. */
export const mainProfile: string = profileText('main', 'Main');

/**
 * The contents of the sections, checked.
 *
 * @throws {UkiError} `ERR_UKI_SECTION`
 */
export function contentsOf(sections: UkiSections): SectionContents {
  const { osrel, cmdline, uname, linux, initrd, ucode, splash, pcrpkey, profiles = [] } = sections;
  const release = osrel.toString();
  const version = /^IMAGE_VERSION="?(?<version>[^"\n]*)"?$/mu.exec(release)?.groups?.['version'];
  if (version?.includes('-') === true) {
    throw new UkiError(
      'ERR_UKI_SECTION',
      `IMAGE_VERSION ${version} would sort above its final release: write ~ for -`,
    );
  }
  requireLine(cmdline);
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
    ...(profiles.length > 0 && { profile: text('profile', mainProfile) }),
  };
}

/**
 * What each further profile adds, in the order of the file: it begins with `.profile`, and has the sections before the first profile
 * beside its own.
 *
 * @throws {UkiError} `ERR_UKI_SECTION`
 */
export function profileSections({
  profiles = [],
}: Pick<UkiSections, 'profiles'>): readonly { readonly name: string; readonly content: View }[] {
  const ids = ['main', ...profiles.map(({ id }) => id)];
  if (new Set(ids).size < ids.length)
    throw new UkiError('ERR_UKI_SECTION', `two profiles have one name: ${ids.join(', ')}`);
  return profiles.flatMap(({ id, title, cmdline }) => {
    if (!/^[a-z0-9-]{1,32}$/u.test(id))
      throw new UkiError('ERR_UKI_SECTION', `${JSON.stringify(id)} is no name of a profile`);
    if (!/^[\w ,.:()-]{1,64}$/u.test(title))
      throw new UkiError('ERR_UKI_SECTION', `${JSON.stringify(title)} is no title of a profile`);
    requireLine(cmdline);
    return [
      { name: '.profile', content: text('profile', profileText(id, title)) },
      { name: '.cmdline', content: text('cmdline', cmdline) },
    ];
  });
}

function profileText(id: string, title: string): string {
  return `ID=${id}\nTITLE="${title}"\n`;
}

function requireLine(cmdline: string): void {
  // oxlint-disable-next-line no-control-regex -- these are what a command line can't have
  if (/[\0-\x1f\x7f]/u.test(cmdline))
    throw new UkiError('ERR_UKI_SECTION', 'the command line has control characters');
}

function text(name: string, content: string): View {
  if (content === '' || content.includes('\0'))
    throw new UkiError('ERR_UKI_SECTION', `.${name} is empty or has a NUL`);
  return View.of(Buffer.from(content));
}
