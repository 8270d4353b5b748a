import type { Emptiness, ProbeResult } from '@nodecore/block';

import { exhausted } from '../exhausted.ts';

/** What a device holds, as far as a decision about it needs to know. */
export type Content =
  | { readonly kind: 'empty' } // proven, not merely unrecognised
  | { readonly kind: 'filesystem'; readonly type: string; readonly uuid: string; readonly label: string }
  | { readonly kind: 'swap'; readonly uuid: string; readonly label: string }
  | { readonly kind: 'luks'; readonly uuid: string; readonly label: string }
  | { readonly kind: 'other'; readonly names: readonly string[] } // recognised, and nothing that we make
  | { readonly kind: 'unknown'; readonly reasons: readonly string[] }; // not recognised, and not proven empty

/** Judges a probe that found signatures; undefined when it found none, and emptiness has to be asked. */
export function recognise(probe: Pick<ProbeResult, 'signatures'>): Content | undefined {
  const [first] = probe.signatures;
  if (first === undefined) return undefined;
  const names = [...new Set(probe.signatures.map((signature) => signature.type))];
  // Two answers are no answer: what looks like xfs and like a raid member is left untouched.
  if (names.length > 1) return { kind: 'other', names };
  const { type, usage, uuid, label } = first;
  if (type === 'luks') return { kind: 'luks', uuid, label };
  if (type === 'swap') return { kind: 'swap', uuid, label };
  if (usage === 'filesystem') return { kind: 'filesystem', type, uuid, label };
  return { kind: 'other', names };
}

export function unrecognised(emptiness: Emptiness): Content {
  return emptiness.empty ? { kind: 'empty' } : { kind: 'unknown', reasons: emptiness.reasons };
}

/** For messages: `holds xfs`. */
export function describe(content: Content): string {
  switch (content.kind) {
    case 'empty':
      return 'is empty';
    case 'filesystem':
      return `holds ${content.type}`;
    case 'swap':
      return 'holds swap';
    case 'luks':
      return 'holds luks';
    case 'other':
      return `holds ${content.names.join(' and ')}`;
    case 'unknown':
      return content.reasons.join('; ');
    default:
      return exhausted(content);
  }
}
