import type { DnsRecord } from './dns-record.ts';
import { opcodeText, responseCodeName } from './dns-types.ts';
import type { Dns, DnsQuestion } from './dns.ts';

/**
 * `4660+ A? example.com. (29)` and `4660 2/0/1 A 192.0.2.1, A 192.0.2.2 (61)`. Signs: `+` recursion desired, `-` not
 * available, `*` authoritative, `|` cut to fit, `$` authentic data, `%` checking disabled.
 */
export function dnsLine(dns: Dns, verbose: number): string {
  const [, answers, authorities, additionals] = dns.counts;
  if (!dns.response) {
    const signs = `${dns.recursionDesired ? '+' : ''}${dns.checkingDisabled ? '%' : ''}`;
    const others = [
      [answers, 'a'],
      [authorities, 'n'],
      [additionals, 'au'],
    ] as const;
    const extra = others.filter(([count]) => count > 0).map(([count, name]) => ` [${count}${name}]`);
    return `${dns.id}${signs}${opcodeText(dns.opcode)}${extra.join('')}${questionText(dns)} (${dns.length})`;
  }
  const code = dns.responseCode === 0 ? '' : ` ${responseCodeName(dns.responseCode)}`;
  const available = dns.recursionAvailable || dns.protocol === 'mdns' ? '' : '-';
  const signs = `${dns.authoritative ? '*' : ''}${available}${dns.truncatedAnswer ? '|' : ''}`;
  const head = `${dns.id}${opcodeText(dns.opcode)}${code}${signs}${dns.authenticData ? '$' : ''}`;
  const asked = verbose > 0 && dns.questions.length > 0 ? ` q:${questionText(dns)}` : '';
  const counts = ` ${answers}/${authorities}/${additionals}`;
  const parts = [list('', dns.answers, verbose)];
  if (verbose > 0) parts.push(list(' ns:', dns.authorities, verbose));
  if (verbose > 1) parts.push(list(' ar:', dns.additionals, verbose));
  return `${head}${asked}${counts}${parts.join('')} (${dns.length})`;
}

const maxQuestions = 4;

function questionText({ questions }: Dns): string {
  const shown = questions.slice(0, maxQuestions).map(askText).join(',');
  return questions.length > maxQuestions ? `${shown}, …` : shown;
}

function askText({ name, type, class: className, unicast }: DnsQuestion): string {
  return ` ${type}${unicast === true ? ' (QU)' : ''}? ${className === 'IN' ? '' : `${className} `}${name}`;
}

/** Records on one line without -vv. */
const maxRecords = 8;

function list(title: string, records: readonly DnsRecord[], verbose: number): string {
  if (records.length === 0) return '';
  const shown = verbose > 1 ? records : records.slice(0, maxRecords);
  const text = shown.map((record) => recordText(record, verbose)).join(',');
  return `${title}${text}${shown.length < records.length ? ', …' : ''}`;
}

function recordText({ name, type, ttl, data, udpSize, cacheFlush }: DnsRecord, verbose: number): string {
  if (udpSize !== undefined) return ` OPT UDPsize=${udpSize}${data === '' ? '' : ` ${data}`}`;
  const flush = cacheFlush === true ? ' (cache flush)' : '';
  const whose = verbose === 0 ? '' : ` ${name} [${ttl}s]`;
  return `${whose}${flush} ${type}${data === '' ? '' : ` ${data}`}`;
}
