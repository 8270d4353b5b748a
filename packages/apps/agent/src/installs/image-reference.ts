import type { Extension } from '../system/extensions.ts';
import { InstallError } from './errors.ts';

/** What has booted, as far as it says what it was made of. */
export type BootedImage = {
  readonly extensions: readonly Extension[];
  /** `v1.14.0`; undefined where it says none. */
  readonly version: string | undefined;
  readonly secureBoot: boolean;
};

/**
 * The installer image of what has booted: of the factory that made it, with the same schematic and version.
 *
 * @throws {InstallError} `ERR_INSTALL_SOURCE` where it does not say so.
 */
export function installerOf({ extensions, version, secureBoot }: BootedImage): string {
  const schematic = extensions.find(({ metadata }) => metadata.name === 'schematic')?.metadata;
  const { version: id, source } = schematic ?? {};
  if (id === undefined || source === undefined || version === undefined || !URL.canParse(source))
    throw new InstallError(
      'ERR_INSTALL_SOURCE',
      'what has booted does not say which factory and schematic it is of: name installer.image',
    );
  const { host, pathname } = new URL(source);
  const path = pathname.replace(/\/+$/u, '');
  return `${host}${path}/metal-installer${secureBoot ? '-secureboot' : ''}/${id}:${version}`;
}
