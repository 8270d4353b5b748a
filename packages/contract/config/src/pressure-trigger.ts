import { isCgroupPath } from './cgroup-path.ts';
import { type Place } from './place.ts';
import { parseDuration, readDuration } from './duration.ts';
import { type PressureTriggerSettings } from './types.ts';

/** The limits of the kernel (Documentation/accounting/psi.rst). */
const shortestUs = 500_000;
const longestUs = 10_000_000;
const usual = { stallUs: 200_000, windowUs: 2_000_000 } as const;

/** Reads the `trigger` of a policy: how much stall, of what, within how much time. */
export function readPressureTrigger(block: Place | undefined): PressureTriggerSettings {
  const resource = block?.get('resource')?.text();
  const kind = block?.get('kind')?.text();
  const windowUs = readMicros(block?.get('window')) ?? usual.windowUs;
  const stallUs = readMicros(block?.get('stall')) ?? usual.stallUs;
  const stallAt = block?.get('stall') ?? block?.get('window');
  if (windowUs < shortestUs || windowUs > longestUs)
    block?.get('window')?.problem('trigger.window', 'must be 500ms to 10s: the kernel takes no other');
  else if (stallUs < 1 || stallUs > windowUs)
    stallAt?.problem('trigger.stall', 'stall must be more than 0 and no longer than the window');
  const cgroup = readPath(block?.get('cgroup'));
  return {
    resource: resource === 'io' || resource === 'cpu' ? resource : 'memory',
    kind: kind === 'full' ? 'full' : 'some',
    stallUs,
    windowUs,
    ...(cgroup !== undefined && { cgroup }),
  };
}

function readPath(field: Place | undefined): string | undefined {
  const path = field?.text();
  if (path === undefined || isCgroupPath(path)) return path;
  field?.problem('cgroup.path', 'must be the path of a cgroup below the root, such as /kubepods');
  return undefined;
}

/** A duration in microseconds. A mistake is reported and reads as none. */
function readMicros(field: Place | undefined): number | undefined {
  if (readDuration(field) === undefined) return undefined;
  const nanos = parseDuration(field?.text() ?? '');
  return typeof nanos === 'bigint' ? Number(nanos / 1000n) : undefined;
}
