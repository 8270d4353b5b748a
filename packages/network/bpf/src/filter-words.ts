/** A word or a mark of a filter's text, and where it stands. */
export type Word = { readonly text: string; readonly offset: number };

/** What libpcap's scanner tells apart. Longest first, where one begins like another. */
const shapes: readonly RegExp[] = [
  /\\[^ !()\n\t]+/y, // a name that is also a keyword
  /(?:[0-9a-f]{1,2}[:.-]){5}[0-9a-f]{1,2}(?![0-9a-f])|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}/iy, // Ethernet address
  /(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}/iy, // IPv6 address, whole
  /(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?(?:\d*\.\d+\.\d+\.\d+)?/iy,
  /[0-9a-f]{1,2}:+(?:[0-9a-f]{1,2}:+)+[0-9a-f]{0,2}/iy, // what wants to be an Ethernet address
  /\$?[a-z0-9](?:[-_.a-z0-9]*[.a-z0-9])?/iy, // name, number, IPv4 address
  /&&|\|\||>=|<=|!=|==|<<|>>/y,
  /[^]/uy,
];

/** The words of a filter's text as libpcap's scanner cuts it; what it doesn't know is a word of one character. */
export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  for (let offset = skipBlanks(text, 0); offset < text.length;) {
    const length = longest(text, offset);
    words.push({ text: text.slice(offset, offset + length), offset });
    offset = skipBlanks(text, offset + length);
  }
  return words;
}

function skipBlanks(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && ' \t\r\n'.includes(text.charAt(end))) end += 1;
  return end;
}

function longest(text: string, offset: number): number {
  let length = 1;
  for (const shape of shapes) {
    shape.lastIndex = offset;
    length = Math.max(length, shape.exec(text)?.[0].length ?? 0);
  }
  return length;
}

/** The words that mean something to libpcap by themselves (pcap-filter(7)); rare ones of single link types apart. */
export const keywords: readonly string[] = [
  'dst src host net mask port portrange proto protochain gateway and or not less greater len length',
  'ether link ip ip6 arp rarp tcp udp sctp icmp icmp6 igmp pim vrrp ah esp stp ipx iso wlan ppp llc type subtype',
  'broadcast multicast inbound outbound ifindex vlan mpls pppoed pppoes geneve',
  'tcpflags tcp-fin tcp-syn tcp-rst tcp-push tcp-ack tcp-urg',
  'icmptype icmpcode icmp-echo icmp-echoreply icmp-unreach icmp6type icmp6-echo',
].flatMap((line) => line.split(' '));
