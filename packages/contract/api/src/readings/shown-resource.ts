import { Phase, type Resource } from '../../gen/nodecore-v1.js';
import { decodeSpec } from '../spec.ts';

/** A resource as -o json and yaml show it. */
export type ShownResource = {
  readonly node: string;
  readonly event?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: unknown;
};

/** Times are in UTC, to the second; labels, annotations and finalizers are left out where there are none. */
export function showResource(node: string, resource: Resource, event?: string): ShownResource {
  const { metadata } = resource;
  return {
    node,
    ...(event === undefined ? {} : { event }),
    metadata: {
      namespace: metadata?.namespace,
      type: metadata?.type,
      id: metadata?.id,
      version: metadata?.version,
      owner: metadata?.owner,
      phase: metadata?.phase === Phase.TEARING_DOWN ? 'tearingDown' : 'running',
      created: timeOf(metadata?.createdMillis),
      updated: timeOf(metadata?.updatedMillis),
      ...(Object.keys(metadata?.labels ?? {}).length > 0 ? { labels: metadata?.labels } : {}),
      ...(Object.keys(metadata?.annotations ?? {}).length > 0 ? { annotations: metadata?.annotations } : {}),
      ...((metadata?.finalizers.length ?? 0) > 0 ? { finalizers: metadata?.finalizers } : {}),
    },
    spec: decodeSpec(resource.spec),
  };
}

/** RFC 3339 in UTC, to the second. */
function timeOf(millis = 0n): string {
  return new Date(Number(millis)).toISOString().replace(/\.\d+Z$/, 'Z');
}
