export { Agent, type AgentOptions } from './agent.ts';
export { createLog, logLevels, type Log, type LogLevel } from './log.ts';
export { type Address } from './server/listener.ts';
