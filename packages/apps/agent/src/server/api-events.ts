import { status } from '@grpc/grpc-js';
import { addressGroup, type EvictionReason } from '@nodecore/listener';
import { policyOf } from '@nodecore/sys';

import type { Log } from '../log.ts';
import { auditedCaller } from './audit.ts';
import type { AuditRecord, AuditTrail } from './audit-trail.ts';
import type { Caller } from './caller.ts';
import type { EndReason } from './connection.ts';
import type { FinishedCall } from './guard.ts';
import { RepeatedLines } from './repeated-lines.ts';

/** What the server reports to metrics. */
export type ApiObserver = {
  readonly called: (call: FinishedCall) => void;
  readonly refused: (reason: string) => void;
};

/** What callers cause, in the log and for the observer. Repeated calls do not make the log grow. */
export class ApiEvents {
  readonly #lines: RepeatedLines;
  /** What was denied, in the audit; counted as the lines are. */
  readonly #denials: RepeatedLines | undefined;
  readonly #observers = new Set<ApiObserver>();

  constructor(log: Log, audit?: AuditTrail) {
    this.#lines = new RepeatedLines(log);
    const write = (fields: AuditRecord): void =>
      audit?.write({ action: 'call', ...fields }, fields['serial'] === undefined);
    this.#denials = audit === undefined ? undefined : new RepeatedLines({ info: write, warn: write });
  }

  observe(observer: ApiObserver): void {
    this.#observers.add(observer);
  }

  /** Method, status, duration and who: never what was asked or answered. */
  readonly called = (call: FinishedCall): void => {
    const { path, requestId, code, caller, peer, node, refusal } = call;
    const name = status[code];
    const durationMs = Math.round(call.durationMs);
    const who = whoOf(caller);
    const fields = {
      requestId,
      method: path,
      status: name,
      durationMs,
      ...who,
      peer,
      ...(node !== undefined && { node }),
      ...(refusal && { code: refusal.code }),
    };
    const isFine = code === status.OK || code === status.CANCELLED;
    const kind = `call ${caller?.identity} ${path} ${node === undefined ? '' : 'for another node '}${name}`;
    this.#lines.write(isFine ? 'info' : 'warn', 'call', kind, fields, durationMs);
    // Some methods deny by themselves what they are asked for. A record that one of them has made as well is no reason to leave this
    // out: what ties them together, the id of a request, is the caller's choice.
    const isDenied = policyOf(refusal)?.audit === 'denied' || code === status.PERMISSION_DENIED;
    if (isDenied && caller !== undefined) {
      const outcome = { requestId, method: path, ...auditedCaller(caller, peer), outcome: 'denied' };
      this.#denials?.write('warn', 'audit', kind, outcome);
    }
    for (const { called } of this.#observers) called(call);
  };

  readonly handshakeFailed = (
    reason: string,
    peer: string | undefined,
    evicted: EvictionReason | undefined,
  ): void => {
    this.#lines.write('info', 'handshake failed', `${reason} ${addressGroup(peer)}`, { peer, reason });
    this.#refused(evicted ?? 'handshake-failed');
  };

  readonly connectionEnded = (reason: EndReason, caller: Caller | undefined, peer: string): void => {
    const who = whoOf(caller);
    const kind = `${reason} ${caller?.identity ?? addressGroup(peer)}`;
    const level = reason === 'idle' ? 'info' : 'warn';
    this.#lines.write(level, 'connection ended', kind, { reason, ...who, peer });
    this.#refused(reason);
  };

  close(): void {
    this.#lines.close();
    this.#denials?.close();
  }

  #refused(reason: string): void {
    for (const { refused } of this.#observers) refused(reason);
  }
}

function whoOf(caller: Caller | undefined): Readonly<Record<string, unknown>> {
  if (caller === undefined) return {};
  const { name, roles, via } = caller;
  return { name, roles: [...roles], ...(via !== undefined && { via }) };
}
