#!/usr/bin/env node
// Starts the agent: from its sources in the workspace, from dist where it is installed as a package.

// Calls on a disk that hangs hold a thread of the pool each; four would soon be held all. Read at the first use of
// the pool, hence before anything else.
process.env['UV_THREADPOOL_SIZE'] ??= '64';

(await import('@nodecore/sys/node-version')).requireNode('nodecore-agent');
const installed = import.meta.url.includes('/node_modules/');
if (!installed) (await import('@nodecore/sys/sources')).resolveToSources();
const { keepCompiled } = await import('@nodecore/sys/compile-cache');
keepCompiled();
const { main } = await import(installed ? '../dist/main.js' : '../src/main.ts');
process.exit(await main(process.argv.slice(2)));
