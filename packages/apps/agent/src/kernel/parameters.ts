import type { KernelSettings, SettingStatus } from '@nodecore/host';
import type { Configuration } from '@nodecore/config';
import type { Controller } from '@nodecore/runtime';
import { fieldsOf, type Json, type Resource } from '@nodecore/state';

import { type Applied, appliedController } from '../applied/applied-controller.ts';
import { kernelParamSpecs, kernelParamStatuses } from './definitions.ts';

/** Attributes of zswap, which documents have fields of their own for. */
const zswap = 'module/zswap/parameters';

/** What the documents of a configuration want of the kernel: values by name. */
export function wantedParameters(configuration: Configuration): Json {
  const { maxPoolPercent, shrinkerEnabled } = configuration.get('ZswapConfig') ?? {};
  const hasZswap = configuration.get('ZswapConfig') !== undefined;
  const swap: readonly (readonly [string, string])[] = [
    ...(hasZswap ? [[`${zswap}/enabled`, 'Y'] as const] : []),
    ...(maxPoolPercent === undefined ? [] : [[`${zswap}/max_pool_percent`, String(maxPoolPercent)] as const]),
    ...(shrinkerEnabled === undefined
      ? []
      : [[`${zswap}/shrinker_enabled`, shrinkerEnabled ? 'Y' : 'N'] as const]),
  ];
  const sysfs = [...swap, ...(configuration.get('SysfsConfig')?.params ?? [])];
  return {
    sysctl: Object.fromEntries(configuration.get('SysctlConfig')?.params ?? []),
    sysfs: Object.fromEntries(sysfs),
  };
}

export type ParameterParts = {
  /** Of /proc/sys and /sys. */
  readonly sysctl: KernelSettings;
  readonly sysfs: KernelSettings;
};

/** Writes parameters and attributes, and gives back those that nobody wants any more. */
export function parameterController(parts: ParameterParts): Controller {
  return appliedController({
    name: 'kernel-parameters',
    specs: [kernelParamSpecs],
    statuses: kernelParamStatuses,
    apply: async (specs) => await applyParameters(parts, specs),
  });
}

async function applyParameters(parts: ParameterParts, specs: readonly Resource[]): Promise<Applied> {
  const statuses = new Map<string, Json>();
  const missing: string[] = [];
  for (const [which, prefix] of [
    ['sysctl', 'proc.sys'],
    ['sysfs', 'sys'],
  ] as const) {
    const wanted = new Map(specs.flatMap(({ spec }) => textsOf(fieldsOf(spec)[which])));
    for (const status of await parts[which].apply(wanted)) {
      statuses.set(`${prefix}.${status.key.replaceAll('/', '.')}`, statusSpec(status));
      if (status.error !== undefined) missing.push(status.error.message);
    }
  }
  return { statuses, waitsFor: missing[0] };
}

function statusSpec({ wanted, current, original, error }: SettingStatus): Json {
  return {
    ...(wanted !== undefined && { wanted }),
    current: current ?? '',
    default: original ?? '',
    // Devices come and go: a setting of one that is not there yet is made when it is.
    unsupported: error?.code === 'ERR_HOST_NOT_FOUND',
    ...(error && { error: error.message }),
  };
}

function textsOf(values: Json = null): (readonly [string, string])[] {
  return Object.entries(fieldsOf(values)).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, value] as const] : [],
  );
}
