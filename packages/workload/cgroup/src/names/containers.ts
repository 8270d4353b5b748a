import type { CgroupName, NameResolver } from './resolver.ts';

/** What a container runtime or an orchestrator knows; undefined when it doesn't. */
export type ContainerDirectory = {
  /** By the container's id: `coredns`. */
  readonly container?: (id: string) => string | undefined;
  /** By the pod's UID: `kube-system/coredns-5d4d`. */
  readonly pod?: (uid: string) => string | undefined;
};

const id = '[0-9a-f]{64}';

/** The names that runtimes give to a container's cgroup, with systemd (`.scope`) and without. */
const patterns: readonly (readonly [RegExp, string | undefined])[] = [
  [new RegExp(`^cri-containerd-(${id})\\.scope$`), 'containerd'],
  [new RegExp(`^crio-(${id})(?:\\.scope)?$`), 'cri-o'],
  [new RegExp(`^docker-(${id})\\.scope$`), 'docker'],
  [new RegExp(`^libpod-(${id})(?:\\.scope)?$`), 'podman'],
  [new RegExp(`^(${id})$`), undefined],
];

// kubelet: pod<uid>, or with systemd kubepods[-<class>]-pod<uid with _>.slice.
const pod =
  /^(?:kubepods(?:-burstable|-besteffort)?-)?pod([0-9a-f]{8}(?:[-_][0-9a-f]{4}){3}[-_][0-9a-f]{12}|[0-9a-f]{32})(?:\.slice)?$/;

/**
 * Containers and pods by the paths that containerd, cri-o, docker and podman give them. Ids come from the path; names
 * from `directory`, which may know none: then the id's beginning is shown. It never waits for a runtime.
 */
export function containerNames(directory: ContainerDirectory = {}): NameResolver {
  return {
    name: 'containers',
    resolve: (path): CgroupName | undefined => {
      const parts = path.split('/');
      const last = parts.at(-1) ?? '';
      const uid = pod.exec(last)?.[1]?.replaceAll('_', '-');
      if (uid !== undefined) return { kind: 'pod', name: directory.pod?.(uid) ?? uid, id: uid };
      for (const [pattern, runtime] of patterns) {
        const found = pattern.exec(last)?.[1];
        if (found === undefined) continue;
        const name = directory.container?.(found) ?? found.slice(0, 12);
        const by = runtime ?? (parts.at(-2) === 'docker' ? 'docker' : undefined);
        return { kind: 'container', name, id: found, ...(by === undefined ? {} : { runtime: by }) };
      }
      return undefined;
    },
  };
}
