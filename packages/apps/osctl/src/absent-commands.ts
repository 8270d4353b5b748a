const noOrchestrator = 'it runs no orchestrator';

/** Commands of the interface that this version does not have, and why. */
export const absentCommands: Readonly<Record<string, string>> = {
  'upgrade-orch': noOrchestrator,
  orchconfig: noOrchestrator,
  conformance: noOrchestrator,
};
