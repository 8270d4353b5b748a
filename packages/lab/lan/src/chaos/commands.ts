import type { Chaos, Effects } from './effects.ts';

/** The devices that the frames of one machine pass: its tap, and two of ours between that and the bridge. */
export type ChaosDevices = {
  readonly tap: string;
  /** What comes from the tap leaves here, and what is for it comes in. */
  readonly near: string;
  /** On the bridge in place of the tap. */
  readonly far: string;
};

/** Of what the kernel's random numbers are a share. */
const wholeShare = 1_000_000;
/** A bucket of the kernel's own measure for short bursts; at high rates of what comes in one tick of a slow clock. */
const leastBurstBytes = 50_000;
const slowTicksPerSecond = 100;

/**
 * What `nft -f` reads: frames that are lost, and, with a process between, those that go there and come from there in place of
 * the bridge. All at once, in place of what was there for this tap. Pure.
 *
 * @param chaos undefined: nothing happens any more.
 */
export function nftRules({ tap, near }: ChaosDevices, chaos: Chaos | undefined, hasProcess: boolean): string {
  const name = `netdev chaos_${tap.replaceAll('-', '_')}`;
  const lines = [`table ${name}`, `delete table ${name}`];
  if (chaos === undefined) return `${lines.join('\n')}\n`;
  const chain = (title: string, hook: string, device: string, rules: readonly string[]): void => {
    if (rules.length === 0) return;
    const head = `type filter hook ${hook} device "${device}" priority 0`;
    lines.push(`table ${name} {`, `chain ${title} {`, head, ...rules, '}', '}');
  };
  chain('from', 'ingress', tap, [...lost(chaos.from), ...(hasProcess ? [`fwd to "${near}"`] : [])]);
  chain('to', 'egress', tap, lost(chaos.to));
  chain('back', 'ingress', near, hasProcess ? [`fwd to "${tap}"`] : []);
  return `${lines.join('\n')}\n`;
}

function lost({ loss = 0 }: Effects = {}): readonly string[] {
  return loss > 0 ? [`numgen random mod ${wholeShare} < ${Math.round(loss * wholeShare)} drop`] : [];
}

/** What `tc -batch` reads: how fast frames come to the process, in each direction. Pure. */
export function tcCommands({ near, far }: ChaosDevices, { to, from }: Chaos): string {
  return [...queue(far, to), ...queue(near, from)].map((line) => `${line}\n`).join('');
}

function queue(device: string, { bandwidthKbit }: Effects = {}): readonly string[] {
  if (bandwidthKbit === undefined || bandwidthKbit === 0)
    return [`qdisc replace dev ${device} root pfifo limit 1000`];
  const bytesPerSecond = (bandwidthKbit * 1000) / 8;
  const burst = Math.max(leastBurstBytes, Math.ceil(bytesPerSecond / slowTicksPerSecond));
  return [`qdisc replace dev ${device} root tbf rate ${bandwidthKbit}kbit burst ${burst} latency 200ms`];
}

/** What `ip -batch` reads to put the process between a tap and the bridge. Pure. */
export function betweenCommands({ tap, near, far }: ChaosDevices, mtu: number): string {
  // None has an address of its own, with which the kernel would speak to the machine.
  const lines = [near, far, tap].map((device) => `link set dev ${device} addrgenmode none`);
  lines.push(
    `link set dev ${near} mtu ${mtu} up`,
    `link set dev ${far} mtu ${mtu} master br0 up`,
    `link set dev ${tap} nomaster`,
  );
  return `${lines.join('\n')}\n`;
}

/** What `ip` does to put the tap back on the bridge. Pure. */
export function backCommand({ tap }: ChaosDevices): readonly string[] {
  return ['ip', 'link', 'set', 'dev', tap, 'master', 'br0'];
}
