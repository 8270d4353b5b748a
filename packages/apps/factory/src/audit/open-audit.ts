import { FactoryError } from '../errors.ts';
import type { AnswerWitness, ExchangeObserver } from '../http/exchange.ts';
import type { Postgres } from '../postgres/postgres.ts';
import { AuditLog } from './audit-log.ts';
import { auditRecord } from './audit-record.ts';
import { DatabaseLog, type DatabaseLogOptions } from './database-log.ts';
import type { LogFilesOptions } from './log-files.ts';

/** A file of this factory's own, or the database that it shares with others. */
export type AuditOptions = LogFilesOptions | DatabaseLogOptions;

/** How much a log has, and what it has not. */
export type AuditCounts = {
  readonly written: number;
  readonly lost: number;
};

/** A log of requests, and how it hears of them. */
export type Audit = {
  readonly counts: AuditCounts;
  readonly observer: ExchangeObserver;
  readonly witness?: AnswerWitness;
};

/**
 * Opens a log, owned by a stack.
 *
 * @param warn told when records are lost, and when they are no longer.
 * @throws {FactoryError} with `ERR_FACTORY_SETUP` for what can't be opened.
 */
export async function openAudit(
  options: AuditOptions,
  database: Postgres | undefined,
  { open, warn }: { readonly open: AsyncDisposableStack; readonly warn: (line: string) => void },
): Promise<Audit> {
  if ('path' in options) {
    const log = open.use(await AuditLog.open(options, warn));
    return { counts: log, observer: (ended) => log.write(auditRecord(ended)) };
  }
  if (database === undefined)
    throw new FactoryError('ERR_FACTORY_SETUP', 'storage.postgres.url: audit.mode postgres needs it');
  const log = open.use(new DatabaseLog(database, options, warn));
  return {
    counts: log,
    observer: (ended, request) => log.ended(request, auditRecord(ended)),
    witness: async (soFar, request) => await log.answering(request, auditRecord(soFar)),
  };
}
