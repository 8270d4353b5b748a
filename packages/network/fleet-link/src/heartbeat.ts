import type { Http2Session } from 'node:http2';

import { LinkError } from './errors.ts';

/** Pings that may be on their way when the other end is given up. */
const maxUnanswered = 2;

/** Pings until the session ends, and ends it when the other end does not answer. */
export function beat(session: Http2Session, heartbeatMs: number): void {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (session.destroyed) return; // it is not closed yet
    if (unanswered >= maxUnanswered) {
      session.destroy(new LinkError('ERR_LINK_SILENT', 'the other end of the link answers no pings'));
      return;
    }
    unanswered += 1;
    session.ping((error) => {
      if (error === null) unanswered = 0;
    });
  }, heartbeatMs);
  timer.unref();
  session.once('close', () => clearInterval(timer));
}
