/** A node whose agent answers. */
export type ServingNode = {
  /** Of its API, on loopback. */
  readonly port: number;
  /** `maintenance`: it waits for its first configuration. */
  readonly phase: 'maintenance' | 'configured';
  /** Of the certificate in maintenance; it came from the agent itself, not from the network. */
  readonly fingerprint?: string;
};
