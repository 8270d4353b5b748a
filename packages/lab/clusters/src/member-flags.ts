import { checkUrl } from './url-flag.ts';

/** How nodes find each other, and what they do then. */
export type MemberSettings = {
  /** URL of the service where they tell each other of themselves. */
  readonly discovery?: string;
  /** Encrypted links from each to each other. */
  readonly mesh?: true;
};

/** The flags of {@link MemberSettings} as they were typed. */
export type MemberFlags = {
  readonly withClusterDiscovery: boolean;
  readonly discoveryEndpoint?: string;
  readonly withMesh: boolean;
};

/** How nodes find each other, from flags; what is wrong with them goes to `problems`. */
export function readMembers(
  { withClusterDiscovery, discoveryEndpoint: url, withMesh }: MemberFlags,
  problems: string[],
): MemberSettings {
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    problems.push('--discovery-endpoint: http://… or https://… is expected'); // its text may be a secret
  else if (url !== undefined) checkUrl('--discovery-endpoint', url, problems);
  const discovery = withClusterDiscovery ? url : undefined;
  if (withMesh && discovery === undefined)
    problems.push(
      withClusterDiscovery
        ? '--with-mesh: give --discovery-endpoint, where members of a mesh find each other'
        : '--with-mesh: not with --with-cluster-discovery=false, members of a mesh find each other by it',
    );
  return { ...(discovery !== undefined && { discovery }), ...(withMesh && { mesh: true as const }) };
}
