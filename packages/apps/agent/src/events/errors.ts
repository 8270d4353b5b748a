import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type EventErrorCode =
  | 'ERR_EVENT_LOST' // the reader was too slow: events that it had not read are not kept any more
  | 'ERR_EVENT_GONE' // the event to go on behind is not kept, or nobody knows it
  | 'ERR_EVENT_EARLY' // events of earlier boots are not known yet: STATE is not open
  | 'ERR_EVENT_DAMAGED' // the file of the past can not be read
  | 'ERR_EVENT_REQUEST'; // a field of the request holds what it can't, or two contradict each other

const kinds: ErrorKinds<EventErrorCode> = {
  ERR_EVENT_LOST: 'out-of-range',
  ERR_EVENT_GONE: 'out-of-range',
  ERR_EVENT_EARLY: 'unavailable',
  ERR_EVENT_DAMAGED: 'damaged',
  ERR_EVENT_REQUEST: 'invalid',
};

/** Why somebody does not get events. */
export class EventError extends CodedError<EventErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'EventError';
  }
}
