import { HostError, type KernelModules, moduleName } from '@nodecore/host';
import type { Configuration } from '@nodecore/config';
import type { Controller } from '@nodecore/runtime';
import { fieldsOf, type Json, type Resource } from '@nodecore/state';
import type { Clock } from '@nodecore/waiting';

import { type Applied, appliedController, everything } from '../applied/applied-controller.ts';
import { kernelModuleSpecs, kernelModuleStatuses } from './definitions.ts';

/** Modules that devices ask for by themselves are seen so soon. */
const lookMs = 30_000;

/** What the documents of a configuration want. */
export function wantedModules(configuration: Configuration): Json {
  const modules = configuration.all('KernelModuleConfig');
  return { modules: modules.map(({ name, parameters }) => ({ name, parameters: [...parameters] })) };
}

export type ModuleParts = { readonly modules: KernelModules; readonly clock: Clock };

/** Loads modules that are wanted, and publishes which ones are loaded. Nothing is unloaded. */
export function moduleController({ modules, clock }: ModuleParts): Controller {
  return appliedController({
    name: 'kernel-modules',
    specs: [kernelModuleSpecs],
    statuses: kernelModuleStatuses,
    apply: async (specs, signal) => await applyModules(modules, specs, signal),
    outside: async (wake, signal) => {
      for (;;) {
        await clock.sleep(lookMs, signal);
        wake(everything);
      }
    },
    retryMs: lookMs,
  });
}

async function applyModules(
  modules: KernelModules,
  specs: readonly Resource[],
  signal: AbortSignal,
): Promise<Applied> {
  const failures = new Map<string, HostError>();
  for (const { name, parameters } of specs.flatMap(({ spec }) => modulesOf(spec))) {
    try {
      await modules.load(name, parameters, signal);
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      failures.set(moduleName(name), error);
    }
  }
  const statuses = new Map<string, Json>();
  for (const [name, { state, sizeBytes, references, users }] of await modules.list()) {
    const type = state === 'builtin' ? 'builtin' : 'module';
    const counts = type === 'module' && {
      size: sizeBytes ?? 0,
      referenceCount: references ?? 0,
      dependencies: [...users],
    };
    statuses.set(name, { type, state: type === 'builtin' ? 'live' : state, ...counts });
  }
  for (const [name, error] of failures)
    statuses.set(name, { type: 'module', state: 'missing', error: error.message });
  const [first] = failures.values();
  return { statuses, waitsFor: first?.message };
}

function modulesOf(spec: Json): { readonly name: string; readonly parameters: readonly string[] }[] {
  const { modules = [] } = fieldsOf(spec);
  return (modules as readonly { readonly name: string; readonly parameters: readonly string[] }[]).map(
    ({ name, parameters }) => ({ name, parameters }),
  );
}
