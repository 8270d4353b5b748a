import { randomUUID } from 'node:crypto';

import type { ApplyConfigurationResponseInit } from '@nodecore/api/machine';
import { ConfigError, formatProblem } from '@nodecore/config';
import { codeOf } from '@nodecore/sys';

import type { EventLog } from '../events/event-log.ts';

/** As many findings as an event says; the first ones say the most. */
const shownFindings = 5;

/** Has the change of a configuration, and all that comes of it, told as a sequence with an actor of its own. */
export async function appliedWithEvents(
  events: Pick<EventLog, 'emit' | 'as'>,
  apply: () => Promise<ApplyConfigurationResponseInit>,
): Promise<ApplyConfigurationResponseInit> {
  const actorId = randomUUID();
  const tell = (action: 'start' | 'stop', message?: string): void => {
    const error = message === undefined ? undefined : ({ code: 'fatal', message } as const);
    events.emit({ type: 'sequence', sequence: 'apply', action, ...(error && { error }) }, actorId);
  };
  tell('start');
  try {
    const answer = await events.as(actorId, apply);
    tell('stop');
    return { ...answer, actorId };
  } catch (error) {
    if (error instanceof ConfigError)
      events.emit({ type: 'configValidationError', error: findingsOf(error) }, actorId);
    tell('stop', codeOf(error) ?? 'internal error');
    throw error;
  }
}

/** What is wrong, without what the caller has written: a finding names places. */
function findingsOf({ problems }: ConfigError): string {
  const more = problems.length - shownFindings;
  const shown = problems.slice(0, shownFindings).map((problem) => formatProblem(problem));
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
