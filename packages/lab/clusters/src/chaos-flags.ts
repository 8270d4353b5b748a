import type { Effects } from '@nodecore/lan';

/** What is to happen to frames, as it was typed; the times were read already. */
export type EffectFlags = {
  /** Milliseconds. */
  readonly latency?: number;
  /** Milliseconds. */
  readonly jitter?: number;
  readonly packetLoss?: string;
  readonly packetCorrupt?: string;
  readonly packetReorder?: string;
  /** kbit/s */
  readonly bandwidth?: string;
};

/** Effects of flags, those that were given; whether they go together is not looked at. @param prefix of the flags' names */
export function readEffects(flags: EffectFlags, prefix: string, problems: string[]): Effects {
  const { latency, jitter, packetLoss, packetCorrupt, packetReorder, bandwidth } = flags;
  const read = (
    name: string,
    text: string | undefined,
    rule: RegExp,
    expected: string,
  ): number | undefined => {
    if (text === undefined) return undefined;
    if (!rule.test(text)) problems.push(`${prefix}${name} ${text}: ${expected}`);
    return rule.test(text) ? Number(text) : 0;
  };
  const share = (name: string, text: string | undefined): number | undefined =>
    read(name, text, /^0?\.\d+$|^0$/, 'a share, 0 to less than 1');
  const effects = {
    latencyMs: latency,
    jitterMs: jitter,
    loss: share('packet-loss', packetLoss),
    corrupt: share('packet-corrupt', packetCorrupt),
    reorder: share('packet-reorder', packetReorder),
    bandwidthKbit: read('bandwidth', bandwidth, /^\d{1,9}$/, 'kbit/s, a whole number'),
  };
  return Object.fromEntries(Object.entries(effects).filter(([, value]) => value !== undefined));
}
