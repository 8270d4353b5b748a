/** What a cgroup is for: from those that can be spared to those the node lives on. */
export type CgroupClass = 'Besteffort' | 'Burstable' | 'Guaranteed' | 'Podruntime' | 'System';

/** From those that can be spared on; the place is the number that expressions know a class by. */
export const cgroupClasses: readonly CgroupClass[] = [
  'Besteffort',
  'Burstable',
  'Guaranteed',
  'Podruntime',
  'System',
];

/** Cgroups whose path is as `match` says have a class. */
export type ClassRule = {
  /** A path below the root, `/batch/*`; a star is any part between two slashes, or some of it. */
  readonly match: string;
  readonly class: CgroupClass;
};

/** Cgroups that can be chosen on every node. Before them come those that a policy names. */
export const defaultRules: readonly ClassRule[] = [
  { match: '/kubepods/besteffort/*', class: 'Besteffort' },
  { match: '/kubepods.slice/kubepods-besteffort.slice/*', class: 'Besteffort' },
  { match: '/kubepods/burstable/*', class: 'Burstable' },
  { match: '/kubepods.slice/kubepods-burstable.slice/*', class: 'Burstable' },
  { match: '/kubepods/pod*', class: 'Guaranteed' },
  { match: '/kubepods.slice/kubepods-pod*', class: 'Guaranteed' },
  { match: '/podruntime/*', class: 'Podruntime' },
  { match: '/system/*', class: 'System' },
  { match: '/system.slice/*', class: 'System' },
];

/** Cgroups that make up a class as a whole, beside those that a policy names. */
export const defaultWholes: readonly ClassRule[] = [
  { match: '/kubepods/besteffort', class: 'Besteffort' },
  { match: '/kubepods.slice/kubepods-besteffort.slice', class: 'Besteffort' },
  { match: '/kubepods/burstable', class: 'Burstable' },
  { match: '/kubepods.slice/kubepods-burstable.slice', class: 'Burstable' },
  { match: '/kubepods/pod*', class: 'Guaranteed' },
  { match: '/kubepods.slice/kubepods-pod*', class: 'Guaranteed' },
  { match: '/podruntime', class: 'Podruntime' },
  { match: '/init', class: 'System' },
  { match: '/init.scope', class: 'System' },
  { match: '/system', class: 'System' },
  { match: '/system.slice', class: 'System' },
];

/** The class of a path; the first rule that fits counts. The root has none. */
export type Classify = (path: string) => CgroupClass | undefined;

export function classifier(rules: readonly ClassRule[]): Classify {
  const compiled = rules.map((rule) => ({ class: rule.class, pattern: patternOf(rule.match) }));
  return (path) => (path === '/' ? undefined : compiled.find(({ pattern }) => pattern.test(path))?.class);
}

function patternOf(match: string): RegExp {
  const parts = match.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^/]*')}$`, 'u');
}
