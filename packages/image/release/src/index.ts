export { agentCapabilities, agentCommand } from './agent-command.ts';
export { type BuildOptions, buildRelease, type BuiltRelease, defaultVersion } from './build.ts';
export { agentDirectory, agentFile, debuggedAgent, inAscii } from './bundle.ts';
export { bundleClient } from './client-bundle.ts';
export { BuildError, type BuildErrorCode } from './errors.ts';
export { recipes } from './extensions/recipes.ts';
export { releaseKey, releaseKeyNames } from './keys.ts';
export { scanTree } from './scan.ts';
