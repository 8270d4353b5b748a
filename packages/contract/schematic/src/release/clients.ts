import { architectures, type Release } from './release.ts';

/** Where osctl stands in a release directory, a file for each system that it runs on: `osctl/osctl-linux-amd64`. */
export const clientDirectory = 'osctl';

const systems = ['linux', 'darwin', 'windows'];
const names: ReadonlySet<string> = new Set(
  systems.flatMap((system) =>
    architectures.map((each) => `osctl-${system}-${each}${system === 'windows' ? '.exe' : ''}`),
  ),
);

/**
 * File names of the clients that a release carries, in the order of the alphabet; empty for one without.
 *
 * @example
 * clientNames(release); // ['osctl-linux-amd64', 'osctl-linux-arm64']
 */
export function clientNames({ files }: Pick<Release, 'files'>): readonly string[] {
  return [...names].filter((name) => files[`${clientDirectory}/${name}`] !== undefined).sort();
}
