/** What a service is doing. */
export type ServiceState =
  | 'Initialized' // known, and not begun yet
  | 'Preparing' // what it needs of this machine is being made
  | 'Waiting' // for what it says
  | 'Starting' // its program is being started
  | 'Running'
  | 'Stopping'
  | 'Finished' // it ended as it should
  | 'Failed' // it ended as it should not
  | 'Skipped'; // it has nothing to do on this machine

/** Something that happened to a service. */
export type ServiceEvent = {
  readonly state: ServiceState;
  readonly message: string;
  /** Since 1970. */
  readonly atMs: number;
};

/** Whether a service does its work, as far as anybody looks. */
export type ServiceHealth = {
  /** Nobody has looked yet, or nobody looks. */
  readonly unknown: boolean;
  readonly healthy: boolean;
  /** What was found the last time that it was not healthy. */
  readonly lastMessage: string;
  /** Since 1970; 0 when it never changed. */
  readonly lastChangeMs: number;
};

/** Everything that is known of a service. */
export type ServiceStatus = {
  readonly id: string;
  readonly state: ServiceState;
  /** Oldest first, the last {@link mostEvents}. */
  readonly events: readonly ServiceEvent[];
  readonly health: ServiceHealth;
  /** Undefined while no program runs. */
  readonly pid: number | undefined;
  /** When the program was started, since 1970. */
  readonly startedMs: number | undefined;
  /** How often the program ended without being asked to. */
  readonly restarts: number;
  /** Limits that this machine has no means for. */
  readonly missingLimits: readonly string[];
};

/** Events that are kept of each service. */
export const mostEvents = 64;

/** Nobody has looked. */
export const unknownHealth: ServiceHealth = {
  unknown: true,
  healthy: false,
  lastMessage: '',
  lastChangeMs: 0,
};
