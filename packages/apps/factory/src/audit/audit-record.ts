import type { Ended } from '../http/exchange.ts';
import type { AuditRecord } from './audit-log.ts';

/** The record of a request. */
export function auditRecord(ended: Ended): AuditRecord {
  return {
    time: ended.startedAt.toISOString(),
    request_id: ended.requestId,
    username: ended.subject,
    client_ip: ended.clientIp,
    method: ended.method,
    path: ended.path,
    status: ended.status,
    duration: Math.round(ended.durationMs * 1_000) / 1_000_000,
    error: ended.error,
  };
}
