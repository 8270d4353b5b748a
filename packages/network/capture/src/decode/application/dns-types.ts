/** IANA's registry of DNS parameters, as far as it is met on networks. */
const types: ReadonlyMap<number, string> = new Map([
  [1, 'A'],
  [2, 'NS'],
  [5, 'CNAME'],
  [6, 'SOA'],
  [10, 'NULL'],
  [12, 'PTR'],
  [13, 'HINFO'],
  [15, 'MX'],
  [16, 'TXT'],
  [17, 'RP'],
  [18, 'AFSDB'],
  [24, 'SIG'],
  [25, 'KEY'],
  [28, 'AAAA'],
  [29, 'LOC'],
  [33, 'SRV'],
  [35, 'NAPTR'],
  [36, 'KX'],
  [37, 'CERT'],
  [39, 'DNAME'],
  [41, 'OPT'],
  [42, 'APL'],
  [43, 'DS'],
  [44, 'SSHFP'],
  [45, 'IPSECKEY'],
  [46, 'RRSIG'],
  [47, 'NSEC'],
  [48, 'DNSKEY'],
  [50, 'NSEC3'],
  [51, 'NSEC3PARAM'],
  [52, 'TLSA'],
  [59, 'CDS'],
  [60, 'CDNSKEY'],
  [61, 'OPENPGPKEY'],
  [62, 'CSYNC'],
  [63, 'ZONEMD'],
  [64, 'SVCB'],
  [65, 'HTTPS'],
  [99, 'SPF'],
  [249, 'TKEY'],
  [250, 'TSIG'],
  [251, 'IXFR'],
  [252, 'AXFR'],
  [255, 'ANY'],
  [256, 'URI'],
  [257, 'CAA'],
]);

/** `AAAA`, or `TYPE65280` (RFC 3597). */
export function dnsTypeName(type: number): string {
  return types.get(type) ?? `TYPE${type}`;
}

const classes: ReadonlyMap<number, string> = new Map([
  [1, 'IN'],
  [3, 'CH'],
  [4, 'HS'],
  [254, 'NONE'],
  [255, 'ANY'],
]);

/** `IN`; `CLASS5` where it has no name (RFC 3597). */
export function dnsClassName(number: number): string {
  return classes.get(number) ?? `CLASS${number}`;
}

const responseCodes: readonly string[] = [
  'NoError',
  'FormErr',
  'ServFail',
  'NXDomain',
  'NotImp',
  'Refused',
  'YXDomain',
  'YXRRSet',
  'NXRRSet',
  'NotAuth',
  'NotZone',
];
const extendedCodes: ReadonlyMap<number, string> = new Map([
  [16, 'BadVers'],
  [17, 'BadKey'],
  [18, 'BadTime'],
  [23, 'BadCookie'],
]);

/** `NXDomain`; `Resp30` where it has no name. */
export function responseCodeName(code: number): string {
  return responseCodes[code] ?? extendedCodes.get(code) ?? `Resp${code}`;
}

const opcodes: readonly string[] = ['', ' inv_q', ' stat', ' op3', ' notify', ' update', ' dso'];

/** With a space before it; nothing for a query. */
export function opcodeText(opcode: number): string {
  return opcodes[opcode] ?? ` op${opcode}`;
}
