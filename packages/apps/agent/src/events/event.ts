/** What the machine as a whole is on its way to, in the words of events. */
export type SequenceName =
  | 'initialize'
  | 'boot'
  | 'apply'
  | 'install'
  | 'upgrade'
  | 'rollback'
  | 'reset'
  | 'reboot'
  | 'shutdown';

/** States of a service, as its resource has them. */
export const serviceActions = [
  'initialized',
  'preparing',
  'waiting',
  'running',
  'stopping',
  'finished',
  'failed',
  'skipped',
  'starting',
] as const;

/** Why a sequence is over that did not come to its end. */
export type SequenceFailure = {
  readonly code: 'fatal' | 'locked' | 'canceled';
  readonly message: string;
};

/** What happened. */
export type EventData =
  | {
      readonly type: 'sequence';
      readonly sequence: SequenceName;
      readonly action: 'noop' | 'start' | 'stop';
      readonly error?: SequenceFailure;
    }
  | { readonly type: 'phase'; readonly phase: string; readonly action: 'start' | 'stop' }
  | { readonly type: 'task'; readonly task: string; readonly action: 'start' | 'stop' }
  | {
      readonly type: 'service';
      readonly service: string;
      readonly action: (typeof serviceActions)[number];
      readonly message: string;
      readonly health?: {
        readonly unknown: boolean;
        readonly healthy: boolean;
        readonly lastMessage: string;
        /** Milliseconds since the Unix epoch. */
        readonly lastChangeMs: number;
      };
    }
  /** The command of reboot(2), and why a reboot goes through the firmware that might have gone past it. */
  | { readonly type: 'restart'; readonly cmd: number; readonly reason?: string }
  | { readonly type: 'configLoadError' | 'configValidationError'; readonly error: string }
  | { readonly type: 'address'; readonly hostname: string; readonly addresses: readonly string[] }
  | {
      readonly type: 'machineStatus';
      readonly stage: string;
      readonly ready: boolean;
      readonly unmetConditions: readonly { readonly name: string; readonly reason: string }[];
    };

/** One thing that happened, and when, and by whom. */
export type NodeEvent = {
  /** Sortable: later events have larger ones. */
  readonly id: string;
  /** Empty: nobody asked for it. */
  readonly actorId: string;
  readonly bootId: string;
  /** By the clock that the node had then, in milliseconds since the Unix epoch. */
  readonly timeMs: number;
  /** How many events before this one nobody could keep. */
  readonly lost?: number;
  readonly data: EventData;
};
