import { kernelArgument } from '@nodecore/config/kernel-arguments';
/** Where the platform that a machine runs on keeps its configuration. */
export type PlatformPlace =
  | { readonly kind: 'url'; readonly url: string }
  /** A file of the filesystem with this label; case does not count in labels. */
  | { readonly kind: 'volume'; readonly label: string; readonly file: string };

/**
 * The place that the kernel's command line and the firmware name: `os.config=` with a URL or `metal-iso`; with
 * `os.platform=nocloud` what the serial number of the machine says (`ds=nocloud;s=URL`), else a volume `cidata`.
 *
 * @throws {TypeError} for an `os.config` that is neither.
 */
export function platformPlace(
  words: ReadonlyMap<string, string>,
  serial: string | undefined,
): PlatformPlace | undefined {
  const named = words.get(kernelArgument.config) ?? '';
  if (named === 'metal-iso') return { kind: 'volume', label: 'metal-iso', file: 'config.yaml' };
  if (/^https?:\/\//u.test(named)) return { kind: 'url', url: named };
  if (named !== '') throw new TypeError('os.config is no URL and not metal-iso');
  if (words.get(kernelArgument.platform) !== 'nocloud') return undefined;
  const seed = /^ds=nocloud(?:-net)?;(?:.*;)?s=(https?:\/\/[^;]+)/u.exec(serial ?? '')?.[1];
  if (seed === undefined) return { kind: 'volume', label: 'cidata', file: 'user-data' };
  return { kind: 'url', url: `${seed.replace(/\/*$/u, '')}/user-data` };
}
