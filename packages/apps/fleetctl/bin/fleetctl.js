#!/usr/bin/env node
// Starts the client: from its sources in the workspace, from dist where it is installed as a package.

(await import('@nodecore/sys/node-version')).requireNode('fleetctl');
const installed = import.meta.url.includes('/node_modules/');
if (!installed) (await import('@nodecore/sys/sources')).resolveToSources();
const { keepCompiled } = await import('@nodecore/sys/compile-cache');
keepCompiled(); // a third of the start-up time is compiling the same modules again
const { main } = await import(installed ? '../dist/main.js' : '../src/main.ts');
process.exitCode = await main(process.argv.slice(2));
