/** Where those processes are that no policy may touch. Paths below the root of the hierarchy. */
export type Protected = {
  /** The agent's own cgroup. */
  readonly own: string;
  /** That of process 1. */
  readonly init: string;
};

/** The cgroup v2 path in `/proc/PID/cgroup` (cgroups(7)); undefined when the process is in none. */
export function pathOfProcess(text: string): string | undefined {
  return /^0::(\/.*?)(?: \(deleted\))?$/m.exec(text)?.[1];
}

/** Why a cgroup is never chosen, whatever a policy says; undefined when it may be. */
export function protection(path: string, { own, init }: Protected): 'root' | 'own' | 'init' | undefined {
  if (path === '/') return 'root';
  // An act on a cgroup is one on all below it.
  if (isWithin(own, path)) return 'own';
  if (isWithin(init, path)) return 'init';
  // Programs that the agent started; of the root everything is below.
  return own !== '/' && isWithin(path, own) ? 'own' : undefined;
}

/** Whether a path is another, or below it. */
export function isWithin(path: string, above: string): boolean {
  return above === '/' || path === above || path.startsWith(`${above}/`);
}
