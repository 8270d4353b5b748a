import type { Readable } from 'node:stream';

/** One run of the agent's process. */
export type AgentProcess = {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Rejects when what the agent ran on is gone. */
  readonly exited: Promise<{ readonly code: number }>;
  kill(signal: NodeJS.Signals): void;
};

/** What a home is made from. */
export type HomeOptions = {
  /** Where the node keeps what outlives it. */
  readonly directory: string;
  /** Of the API on 127.0.0.1. */
  readonly port: number;
  /** Of the agent's debugger on 127.0.0.1; there is none without it. */
  readonly inspectPort?: number;
};

/** What an agent runs on: a virtual machine, or this host. */
export type AgentHome = {
  startAgent(): AgentProcess;
  /** Ends what the home itself started, in order. */
  close(): Promise<void>;
};
