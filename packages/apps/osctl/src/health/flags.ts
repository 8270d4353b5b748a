import type { GlobalFlags, MaintenanceFlags } from '../global-flags.ts';

export type HealthFlags = GlobalFlags &
  MaintenanceFlags & {
    readonly controlPlaneNodes?: readonly string[];
    readonly workerNodes?: readonly string[];
    readonly initNode?: string;
    readonly orchEndpoint?: string;
    readonly runE2e?: true;
    readonly server: boolean;
    /** Milliseconds; 0: one look. */
    readonly waitTimeout: number;
    readonly output: string;
  };

/** The nodes that the flags name by what they are; undefined: none, and `-n` or the context does. */
export function namedNodes({
  controlPlaneNodes = [],
  workerNodes = [],
  initNode,
}: HealthFlags): readonly string[] | undefined {
  const named = [...(initNode === undefined ? [] : [initNode]), ...controlPlaneNodes, ...workerNodes];
  return named.length === 0 ? undefined : [...new Set(named)];
}

/** What the flags say a node is; undefined: nothing. */
export function isControlPlane(
  name: string,
  { controlPlaneNodes, workerNodes, initNode }: HealthFlags,
): boolean | undefined {
  if (name === initNode || controlPlaneNodes?.includes(name) === true) return true;
  return workerNodes?.includes(name) === true ? false : undefined;
}
