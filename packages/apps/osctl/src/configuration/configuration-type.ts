import { UsageError } from '@nodecore/cli';

const names: ReadonlySet<string> = new Set(['machineconfig', 'machineconfigs', 'mc']);

/** @throws {UsageError} for a resource that only the node itself changes. */
export function requireConfiguration(type: string): void {
  if (names.has(type.toLowerCase())) return;
  throw new UsageError(`${type} is not for changing; only machineconfig is`);
}
