export { type AgentOptions } from './agent-options.ts';
export { Agent } from './agent.ts';
export { createLog, logLevels, type Log, type LogLevel } from './log.ts';
export { type Address } from './address.ts';
