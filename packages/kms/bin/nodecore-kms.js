#!/usr/bin/env node
// Starts the key server: from its sources in the workspace, from dist where it is installed as a package.
import { enableCompileCache, registerHooks } from 'node:module';

enableCompileCache();

const installed = import.meta.url.includes('/node_modules/');
if (!installed)
  registerHooks({
    // Workspace packages offer their sources under this condition; it is what `node --conditions=source` does.
    resolve: (specifier, context, nextResolve) =>
      nextResolve(specifier, { ...context, conditions: ['source', ...context.conditions] }),
  });

const { main } = await import(installed ? '../dist/main.js' : '../src/main.ts');
process.exitCode = await main(process.argv.slice(2));
