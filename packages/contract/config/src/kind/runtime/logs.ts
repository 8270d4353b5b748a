import { document } from '../../document.ts';
import { Mistake } from '../../field/mistake.ts';
import { parsed } from '../../field/parsed.ts';
import { text } from '../../field/text.ts';
import { required, type Type } from '../../field/type.ts';
import { parseHostPort } from '../../type/endpoint.ts';
import { url } from '../../type/url.ts';

/** `KmsgLogConfig`: who gets the lines of the kernel. */
export const kmsgLog = document('KmsgLogConfig', 'who gets the lines of the kernel, as JSON', () => ({
  takesEffect: 'live',
  fields: {
    name: required('a word for it', text({ longest: 253 })),
    url: required(
      'where they are sent: tcp:// or udp://, host and port',
      url(['tcp', 'udp'], { bare: true, port: true }),
    ),
  },
  example: 'name: collector\nurl: tcp://logs.example:5140\n',
}));

/** Who gets the events of a node. */
export type EventSinkEndpoint = {
  readonly text: string;
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
};

/** `host:port`, with `grpcs://` in front for TLS; undefined for anything else. Also of the kernel's command line. */
export function parseEventSink(written: string): EventSinkEndpoint | undefined {
  const tls = written.startsWith('grpcs://');
  const found = parseHostPort(tls ? written.slice('grpcs://'.length) : written);
  return found && { text: written, host: found.host, port: found.port, tls };
}

const endpoint: Type<EventSinkEndpoint> = parsed('host:port', {
  json: { pattern: '^(?:grpcs://)?.+:[0-9]{1,5}$' },
  parse: (written) =>
    parseEventSink(written) ??
    new Mistake('endpoint.invalid', 'must be host:port, with grpcs:// in front for TLS'),
});

/** `EventSinkConfig`: who gets the events of the node. */
export const eventSink = document('EventSinkConfig', 'who gets the events of the node', () => ({
  takesEffect: 'live',
  fields: { endpoint: required('host:port, with grpcs:// in front for TLS', endpoint) },
  example: 'endpoint: grpcs://events.example:8443\n',
}));
