/** What a machine is doing, as far as QEMU knows. */
export type PowerState =
  | 'off' // no QEMU runs
  | 'running'
  | 'paused' // its processors stand still
  | 'shutting-down' // it was asked to switch itself off, or is doing so
  | 'panicked'; // its kernel said that it gave up

/** Why a machine went off. */
export type PowerOffReason =
  | 'guest-shutdown'
  | 'guest-reset' // it wanted to start anew: QEMU ends, and its keeper may switch it on again
  | 'guest-panic'
  | 'requested' // `kill`, or the end of a grace period
  | 'lost'; // QEMU ended without a word

/** An event of QEMU's control port. */
export type ControlEvent = {
  readonly event: string;
  readonly data?: Readonly<Record<string, unknown>>;
};

/** The state behind an event; undefined where it changes nothing. */
export function stateAfter(state: PowerState, { event, data }: ControlEvent): PowerState | undefined {
  switch (event) {
    case 'STOP':
      return state === 'running' || state === 'shutting-down' ? 'paused' : undefined;
    case 'RESUME':
      return state === 'paused' ? 'running' : undefined;
    case 'POWERDOWN':
    case 'SHUTDOWN':
      return state === 'panicked' ? undefined : 'shutting-down';
    case 'GUEST_PANICKED':
      return data?.['action'] === 'run' ? undefined : 'panicked';
    default:
      return undefined;
  }
}

/** The state that `query-status` returns, for a reader that missed the events before. */
export function stateOf(status: string): PowerState {
  if (status === 'running') return 'running';
  if (status === 'guest-panicked') return 'panicked';
  return status === 'shutdown' ? 'shutting-down' : 'paused';
}

/** Why the machine goes off, when this event says it. */
export function reasonOf({ event, data }: ControlEvent): PowerOffReason | undefined {
  if (event !== 'SHUTDOWN') return undefined;
  switch (data?.['reason']) {
    case 'guest-shutdown':
      return 'guest-shutdown';
    case 'guest-reset':
      return 'guest-reset';
    case 'guest-panic':
      return 'guest-panic';
    default:
      return data?.['guest'] === true ? 'guest-shutdown' : 'requested';
  }
}
