/** What stands behind a cgroup, in words that its users know. */
export type CgroupName = {
  readonly kind: 'unit' | 'slice' | 'scope' | 'pod' | 'container';
  /** To show: `sshd.service`, `kube-system/coredns`, `etcd`. Two cgroups may have the same; `id` tells them apart. */
  readonly name: string;
  /** The unit's name, the pod's UID, the container's id. */
  readonly id: string;
  /** `containerd`, `cri-o`, `docker`, `podman`, when the path tells. */
  readonly runtime?: string;
};

/** Knows the names of some cgroups. */
export type NameResolver = {
  /** For messages: `systemd`, `containers`. */
  readonly name: string;
  /** @param path below the root of the hierarchy: `/system.slice/sshd.service`. Undefined: none of mine. */
  readonly resolve: (path: string) => CgroupName | undefined;
};

/** Asks one after the other; the first that knows an answer gives it. */
export function firstOf(...resolvers: readonly NameResolver[]): NameResolver {
  return {
    name: resolvers.map(({ name }) => name).join(', '),
    resolve: (path) => {
      for (const resolver of resolvers) {
        const found = resolver.resolve(path);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}
