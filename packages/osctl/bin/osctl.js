#!/usr/bin/env node
// Starts the client: from its sources in the workspace, from dist where it is installed as a package.
import { enableCompileCache, registerHooks } from 'node:module';

enableCompileCache(); // a third of the start-up time is compiling the same modules again

const installed = import.meta.url.includes('/node_modules/');
if (!installed)
  registerHooks({
    // Workspace packages offer their sources under this condition; it is what `node --conditions=source` does.
    resolve: (specifier, context, nextResolve) => {
      // A file that is named in full is where its name says: not to look for it saves a tenth of the start.
      if (/^\..*\.[jt]s$/.test(specifier))
        return { url: new URL(specifier, context.parentURL).href, shortCircuit: true };
      if (!specifier.startsWith('@nodecore/')) return nextResolve(specifier);
      return nextResolve(specifier, { ...context, conditions: ['source', ...context.conditions] });
    },
  });

const { main } = await import(installed ? '../dist/main.js' : '../src/main.ts');
process.exitCode = await main(process.argv.slice(2));
