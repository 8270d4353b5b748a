#!/usr/bin/env node
// Starts the factory: from its sources in the workspace, from dist where it is installed as a package.

(await import('@nodecore/sys/node-version')).requireNode('nodecore-factory');
const installed = import.meta.url.includes('/node_modules/');
if (!installed) (await import('@nodecore/sys/sources')).resolveToSources();
const { keepCompiled } = await import('@nodecore/sys/compile-cache');
keepCompiled();
const { main } = await import(installed ? '../dist/main.js' : '../src/main.ts');
process.exitCode = await main(process.argv.slice(2));
