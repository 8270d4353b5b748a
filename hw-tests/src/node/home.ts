import type { Readable } from 'node:stream';

/** One run of the agent's process. */
export type AgentProcess = {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Rejects when what the agent ran on is gone. */
  readonly exited: Promise<{ readonly code: number }>;
  kill(signal: NodeJS.Signals): void;
};

/** What an agent runs on: a virtual machine, or this host. */
export type AgentHome = {
  startAgent(): AgentProcess;
  /** Ends what the home itself started, in order. */
  close(): Promise<void>;
};
