import { registerHooks } from 'node:module';

/**
 * Has programs of a checkout load the sources of the workspace's packages: what `node --conditions=source` does, with
 * less to look for.
 *
 * A file that is named in full is where its name says, and a `.ts` file is one of ours. Not to ask the filesystem for
 * that is a third of an agent's start. Plain JavaScript, because it runs before anything else can be found.
 */
export function resolveToSources() {
  registerHooks({
    resolve: (specifier, context, nextResolve) => {
      const [, kind] = /^\.{1,2}\/.*\.([jt]s)$/.exec(specifier) ?? [];
      if (kind !== undefined && context.parentURL !== undefined)
        return {
          url: new URL(specifier, context.parentURL).href,
          ...(kind === 'ts' && { format: 'module-typescript' }),
          shortCircuit: true,
        };
      if (!specifier.startsWith('@nodecore/')) return nextResolve(specifier);
      return nextResolve(specifier, { ...context, conditions: ['source', ...context.conditions] });
    },
  });
}
