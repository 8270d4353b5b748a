import { isSame } from './certificates.ts';
import type { AuthorityName, Configured, Operation } from './configured.ts';
import { RotationError } from './errors.ts';

/** An authority that takes the place of another; PEM. */
export type Replacement = {
  readonly name: AuthorityName;
  readonly former: string;
  /** The key is absent on the way back, as long as nobody needs it. */
  readonly next: { readonly crt: string; readonly key?: string | undefined };
};

/** Steps that nodes make, in their order. */
export const steps = ['accept', 'issue', 'drop'] as const;
export type Step = (typeof steps)[number];

/** How far a node is. */
export type Standing = {
  /** Whose certificates it issues, or takes its own for; undefined where it accepts only. */
  readonly own: 'former' | 'next' | undefined;
  /** Of the other authorities that it accepts. */
  readonly acceptsFormer: boolean;
  readonly acceptsNext: boolean;
};

/** @throws {RotationError} `ERR_ROTATION_NODE` for a node with a third authority. */
export function standingOf(
  { own, accepted }: Configured,
  { former, next, name }: Replacement,
  node: string,
): Standing {
  const accepts = (crt: string): boolean => accepted.flat().some((each) => isSame(each, crt));
  const isFormer = isSame(own, former);
  if (own !== undefined && !isFormer && !isSame(own, next.crt))
    throw new RotationError(
      'ERR_ROTATION_NODE',
      `${node}: its authority (${name}) is neither the former nor the new one; is there another rotation file?`,
    );
  return {
    own: own === undefined ? undefined : isFormer ? 'former' : 'next',
    acceptsFormer: accepts(former),
    acceptsNext: accepts(next.crt),
  };
}

/** Whether the node has still to make this step. */
export function isAhead(step: Step, { own, acceptsFormer, acceptsNext }: Standing): boolean {
  if (step === 'accept') return own !== 'next' && !acceptsNext;
  if (step === 'issue') return own === 'former';
  return acceptsFormer;
}

/**
 * Whether a node gets the key of an authority with its certificate. A worker is refused with one, except where it has had the
 * former key, too: in a document that is not valid without.
 */
export function takesKey({ form }: Configured, isControlPlane: boolean): boolean {
  return isControlPlane || form.needsKey;
}

/**
 * What changes in the configuration by a step.
 *
 * @throws {RotationError} `ERR_ROTATION_KEY` when the node has to get a key that is not there.
 */
export function operationsOf(
  step: Step,
  configured: Configured,
  { former, next }: Replacement,
  isControlPlane: boolean,
): readonly Operation[] {
  const { form, accepted } = configured;
  if (step === 'accept') return [added(configured, next.crt)];
  if (step === 'drop') return removed(configured, former);
  const getsKey = takesKey(configured, isControlPlane);
  if (getsKey && next.key === undefined) throw keyNeeded('control planes');
  const isKept = accepted.flat().some((each) => isSame(each, former));
  return [
    { op: 'replace', path: form.own, value: form.pair(next.crt, getsKey ? next.key : undefined) },
    ...(isKept ? [] : [added(configured, former)]),
    ...removed(configured, next.crt, true),
  ];
}

export function keyNeeded(who: string): RotationError {
  return new RotationError(
    'ERR_ROTATION_KEY',
    `${who}: they need the key of the former authority: --with-secrets`,
  );
}

function added({ form, accepted }: Configured, crt: string): Operation {
  const item = form.item(crt);
  return accepted.length === 0
    ? { op: 'add', path: form.accepted, value: [item] }
    : { op: 'add', path: `${form.accepted}/-`, value: item };
}

/** From the end: what is taken out moves what is behind it. @param isAdded another one has just been added to the list. */
function removed({ form, accepted }: Configured, crt: string, isAdded = false): readonly Operation[] {
  if (accepted.length > 0 && accepted.flat().every((each) => isSame(each, crt)) && !isAdded)
    return [{ op: 'remove', path: form.accepted }];
  return accepted
    .map((item, index): Operation | undefined => {
      const left = item.filter((each) => !isSame(each, crt));
      const path = `${form.accepted}/${index}`;
      if (left.length === item.length) return undefined;
      return left.length === 0
        ? { op: 'remove', path }
        : { op: 'replace', path, value: form.item(left.join('')) };
    })
    .filter((each) => each !== undefined)
    .toReversed();
}
