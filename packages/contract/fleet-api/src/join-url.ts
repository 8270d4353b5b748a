import { FleetApiError } from './errors.ts';

/** Where a machine joins, by which token, and whom it believes to be the fleet. */
export type JoinUrl = {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  /** SHA-256 of a certificate of the fleet's chain, DER, 64 hexadecimal digits; absent: public authorities are believed. */
  readonly fleetCa?: string;
};

const httpsPort = 443;
const maxLength = 4096;

/**
 * `https://HOST[:PORT]/?jointoken=TOKEN[&fleetca=sha256:HEX]`: what images carry, and nothing that a console should print.
 *
 * @example
 * formatJoinUrl({ host: 'fleet.example', port: 443, token: 'w7…' }); // 'https://fleet.example/?jointoken=w7…'
 */
export function formatJoinUrl({ host, port, token, fleetCa }: JoinUrl): string {
  const authority = host.includes(':') ? `[${host}]` : host;
  const place = port === httpsPort ? authority : `${authority}:${port}`;
  const pin = fleetCa === undefined ? '' : `&fleetca=sha256:${fleetCa}`;
  return `https://${place}/?jointoken=${encodeURIComponent(token)}${pin}`;
}

/**
 * Reads a join URL; `grpc://` means the same as `https://`. Parameters that are not known, as `grpc_tunnel`, are ignored.
 *
 * @throws {FleetApiError} `ERR_FLEET_JOIN_URL`, whose message never has the token.
 */
export function parseJoinUrl(text: string): JoinUrl {
  if (text.length > maxLength) throw refusal('it is too long');
  const scheme = /^(https|grpc):\/\//u.exec(text)?.[1];
  if (scheme === undefined) throw refusal('it does not begin with https://');
  // A scheme that WHATWG URLs do not know keeps no host: both are read as https.
  const url = URL.parse(text.replace(/^grpc:/u, 'https:'));
  if (url === null || url.hostname === '') throw refusal('it has no host');
  if (url.username !== '' || url.password !== '') throw refusal('it has user information');
  const tokens = url.searchParams.getAll('jointoken');
  const [token] = tokens;
  if (token === undefined || token === '' || tokens.length > 1) throw refusal('it needs one jointoken');
  const pins = url.searchParams.getAll('fleetca');
  const [pin] = pins;
  if (pins.length > 1) throw refusal('it has two of fleetca');
  return {
    host: url.hostname.replace(/^\[(.*)\]$/u, '$1'),
    port: url.port === '' ? httpsPort : Number(url.port),
    token,
    ...(pin !== undefined && { fleetCa: parseFleetCa(pin) }),
  };
}

/** The digits of `sha256:HEX`. @throws {FleetApiError} `ERR_FLEET_JOIN_URL`. */
export function parseFleetCa(text: string): string {
  const digits = /^sha256:([0-9a-f]{64})$/iu.exec(text)?.[1];
  if (digits === undefined) throw refusal('fleetca is not sha256: and 64 hexadecimal digits');
  return digits.toLowerCase();
}

function refusal(why: string): FleetApiError {
  return new FleetApiError('ERR_FLEET_JOIN_URL', `not a join URL: ${why}`);
}
