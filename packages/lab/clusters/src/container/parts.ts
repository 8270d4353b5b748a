/** By which an image of a registry is told from a URL of a file. */
export const registryScheme = 'docker://';

/** What a container sees besides its root: a path of this computer, a directory that the cluster keeps, or memory. */
export type ContainerMount = {
  readonly type: 'bind' | 'volume' | 'tmpfs';
  /** An absolute path for `bind`, a name for `volume`, absent for `tmpfs`. */
  readonly source?: string;
  readonly target: string;
  readonly isReadOnly?: true;
};

/** A port of the first control plane that this computer listens for. */
export type ExposedPort = {
  readonly address: string;
  readonly hostPort: number;
  readonly port: number;
  /** Default TCP. */
  readonly protocol?: 'udp';
};

/** What nodes are where they are containers. */
export type ContainerParts = {
  /** The OCI runtime, by its path. */
  readonly runtime: string;
  readonly mounts: readonly ContainerMount[];
  readonly ports: readonly ExposedPort[];
};
