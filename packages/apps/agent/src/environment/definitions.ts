import type { ResourceDefinition } from '@nodecore/api';

const runtime = { defaultNamespace: 'runtime', aliases: [], sensitive: true } as const;

/** By who wants them: variables by name. Values may be secrets: proxies have passwords. */
export const environmentSpecs: ResourceDefinition = {
  ...runtime,
  type: 'EnvironmentSpecs.runtime.nodecore.dev',
  displayType: 'EnvironmentSpec',
  description: 'Environment variables that are wanted, with their values.',
  printColumns: [{ name: 'Names', jsonPath: '$.names' }],
};

/** By name: variables that the agent, and the services that it starts from now on, have from documents. */
export const environments: ResourceDefinition = {
  ...runtime,
  type: 'Environments.runtime.nodecore.dev',
  displayType: 'Environment',
  description: 'An environment variable of the agent and of the services that it starts.',
  aliases: ['env'],
  printColumns: [{ name: 'Value', jsonPath: '$.value' }],
};
