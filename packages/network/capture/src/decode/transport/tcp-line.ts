import { hexNumber } from '../text.ts';
import { tcpOptionText } from './tcp-options.ts';
import { ACK, FIN, RST, SYN, type Tcp } from './tcp.ts';

const letters = ['F', 'S', 'R', 'P', '.', 'U', 'E', 'W', 'e'];
const flagTexts: readonly string[] = Array.from({ length: 512 }, (_, bits) => {
  const shown = letters.filter((_letter, index) => (bits & (1 << index)) !== 0);
  return shown.length === 0 ? 'Flags [none]' : `Flags [${shown.join('')}]`;
});
const URG = 32;

/** `Flags [P.], seq 1:6, ack 1, win 512, length 5`: numbers are relative once the connection is known. */
export function tcpLine(tcp: Tcp, verbose: number): string {
  const { flagBits, sequence, acknowledgment, length = 0, options } = tcp;
  if (flagBits === undefined || sequence === undefined || acknowledgment === undefined) return 'tcp';
  let text = flagTexts[flagBits]!;
  if (verbose > 0) text += checksumText(tcp);
  if (length > 0 || (flagBits & (SYN | FIN | RST)) !== 0 || verbose > 1) {
    const first = tcp.relativeSequence ?? sequence;
    text += length > 0 ? `, seq ${first}:${(first + length) >>> 0}` : `, seq ${first}`;
  }
  if ((flagBits & ACK) !== 0) text += `, ack ${tcp.relativeAcknowledgment ?? acknowledgment}`;
  text += `, win ${tcp.window}`;
  if ((flagBits & URG) !== 0) text += `, urg ${tcp.urgentPointer}`;
  if (options !== undefined && options.length > 0) {
    const base =
      tcp.relativeAcknowledgment === undefined ? 0 : (acknowledgment - tcp.relativeAcknowledgment) >>> 0;
    let list = '';
    for (const option of options) list += (list === '' ? '' : ',') + tcpOptionText(option, base);
    text += `, options [${list}]`;
  }
  return `${text}, length ${length}`;
}

function checksumText({ checksum = 0, checksumStatus = 'unverified' }: Tcp): string {
  const number = hexNumber(checksum, 4);
  if (checksumStatus === 'unverified') return `, cksum ${number}`;
  return `, cksum ${number} (${checksumStatus === 'bad' ? 'incorrect' : checksumStatus})`;
}
