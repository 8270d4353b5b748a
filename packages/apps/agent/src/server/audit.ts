import { codeOf, type KindPolicy, policyOf } from '@nodecore/sys';

import type { Log } from '../log.ts';
import type { Caller } from './caller.ts';
import type { CallContext } from './handlers.ts';

/** What a caller asks for that no configuration says: names and numbers, never keys. */
export type AuditedAction =
  | {
      readonly action: 'rotate-keys' | 'add-recovery-key' | 'backup-header' | 'restore-header';
      readonly volume: string;
      readonly slots?: readonly number[];
      readonly dryRun?: boolean;
      readonly force?: boolean;
    }
  | {
      readonly action: 'trim';
      /** None: all of them. */
      readonly volumes: readonly string[];
      readonly dryRun: boolean;
    }
  | { readonly action: 'apply-configuration'; readonly mode: string; readonly dryRun: boolean }
  | { readonly action: 'prove-empty'; readonly device: string }
  | {
      readonly action: 'wipe';
      readonly devices: readonly string[];
      readonly method: string;
      readonly dropPartition: boolean;
      readonly dryRun: boolean;
    }
  | {
      readonly action: 'wipe-volumes';
      readonly volumes: readonly string[];
      readonly method: string;
      readonly dryRun: boolean;
    }
  | {
      readonly action: 'reset';
      readonly mode: string;
      readonly labels: readonly string[];
      readonly userDisks: readonly string[];
      readonly graceful: boolean;
      readonly reboot: boolean;
      readonly dryRun: boolean;
    }
  | { readonly action: 'issue-client'; readonly roles: readonly string[]; readonly lifetimeMs: number }
  | { readonly action: 'reboot'; readonly mode: string }
  | { readonly action: 'shutdown'; readonly force: boolean }
  | { readonly action: 'rollback'; readonly force: boolean }
  | { readonly action: 'service-start' | 'service-stop' | 'service-restart'; readonly service: string }
  | { readonly action: 'meta-write' | 'meta-delete'; readonly key: number }
  | { readonly action: 'upgrade'; readonly image: string; readonly dryRun: boolean; readonly force: boolean }
  | {
      readonly action: 'install';
      readonly image: string;
      readonly disk: string;
      readonly wipe: boolean;
      readonly dryRun: boolean;
      readonly force: boolean;
    }
  | AuditedKvstore
  | AuditedCapture
  | { readonly action: 'read-capture' | 'remove-capture'; readonly file: string }
  | { readonly action: 'stop-capture'; readonly id: string }
  | { readonly action: 'cpu-profile'; readonly durationMs: number }
  | { readonly action: 'heap-snapshot' }
  | { readonly action: 'read-file' | 'copy-files'; readonly path: string }
  /** Resources of a type that may hold secrets; without an id all of them. */
  | { readonly action: 'read-sensitive'; readonly type: string; readonly id?: string };

/** What is done to the kvstore as a whole, or to one member of it. */
export type AuditedKvstore =
  | {
      readonly action:
        | 'kvstore-forfeit-leadership'
        | 'kvstore-leave'
        | 'kvstore-snapshot'
        | 'kvstore-recover';
    }
  | { readonly action: 'kvstore-bootstrap'; readonly recover: boolean; readonly skipHashCheck: boolean }
  | { readonly action: 'kvstore-recover-space' }
  | { readonly action: 'kvstore-defragment'; readonly dryRun: boolean; readonly force: boolean }
  | { readonly action: 'kvstore-disarm'; readonly alarms: readonly string[] }
  | { readonly action: 'kvstore-remove-member'; readonly member: string; readonly force: boolean }
  | { readonly action: 'kvstore-downgrade'; readonly step: string; readonly version: string };

/** Packets that a caller looks at, in words of the request. */
export type AuditedCapture = {
  readonly action: 'capture';
  readonly interfaces: readonly string[];
  /** Text, or instructions as numbers. */
  readonly filter: string;
  readonly direction: string;
  readonly promiscuous: boolean;
  readonly includeApiTraffic: boolean;
  readonly file?: string;
};

/** How audited work ends; after an error it follows from the kind of that. */
export type AuditOutcome = 'done' | KindPolicy['audit'];

export type Note = {
  /** Writes how the work ended, and passes its result on. */
  of<T>(work: Promise<T>): Promise<T>;
  /** Writes how the work ended and what came of it, and passes on what it yields meanwhile. */
  over<T>(
    work: AsyncIterable<T>,
    result?: () => Readonly<Record<string, string>>,
  ): AsyncGenerator<T, void, undefined>;
  /** Writes how it ended, and what came of it. */
  end(outcome: AuditOutcome, code?: string, result?: Readonly<Record<string, string>>): void;
};

/** Who it was, as far as the connection proves it, and which node has passed the call on: `peer` is that node then. */
export function auditedCaller(
  { name, serial, fingerprint, roles, via }: Caller,
  peer: string,
): Readonly<Record<string, unknown>> {
  const certificate = serial !== '' && { serial, fingerprint };
  return { name, ...certificate, peer, ...(via !== undefined && { via }), roles: [...roles] };
}

/** Writes who asks for what, before it is done: a crash in the middle leaves a trace. */
export function audited(
  log: Log,
  { caller, peer, requestId, audit }: CallContext,
  action: AuditedAction,
): Note {
  const fields = { ...action, ...(requestId !== undefined && { requestId }), ...auditedCaller(caller, peer) };
  const write = (level: 'info' | 'warn', outcome: Readonly<Record<string, unknown>>): void => {
    log[level]({ audit: true, ...fields, ...outcome }, 'audit');
    audit?.write({ ...fields, ...outcome }, caller.maintenance);
  };
  write('info', { outcome: 'begun' });
  const end: Note['end'] = (outcome, code, result) =>
    write(outcome === 'done' ? 'info' : 'warn', { outcome, ...(code !== undefined && { code }), ...result });
  return {
    end,
    over: async function* (work, result) {
      let code: string | undefined = 'ABORTED'; // a caller that stops listening ends the work
      let outcome: AuditOutcome = 'failed';
      try {
        yield* work;
        [outcome, code] = ['done', undefined];
      } catch (error) {
        [outcome, code] = [outcomeOf(error), codeOf(error) ?? 'none'];
        throw error;
      } finally {
        end(outcome, code, result?.());
      }
    },
    of: async (work) => {
      try {
        const result = await work;
        end('done');
        return result;
      } catch (error) {
        end(outcomeOf(error), codeOf(error) ?? 'none');
        throw error;
      }
    },
  };
}

function outcomeOf(error: unknown): AuditOutcome {
  return policyOf(error)?.audit ?? 'failed';
}
