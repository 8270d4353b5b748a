import { imageVersionOf } from '@nodecore/schematic/release';

/** What a unified kernel image says of itself; boot loaders show it and sort by it. */
export function osRelease(version: string): string {
  const imageVersion = imageVersionOf(version);
  return [
    'NAME="Node OS"',
    `PRETTY_NAME="Node OS ${version}"`,
    'ID=nodeos',
    'IMAGE_ID=nodeos',
    `IMAGE_VERSION=${imageVersion}`,
    `VERSION_ID=${imageVersion}`,
    '',
  ].join('\n');
}
