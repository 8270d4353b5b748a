/** Rejects when another process has the port of the loopback, with its name where it can be known. */
export function requireFreePort(port: number): Promise<void>;

/** The process that listens at a port, and where it works; undefined when none can be seen. */
export function portHolder(port: number): string | undefined;
