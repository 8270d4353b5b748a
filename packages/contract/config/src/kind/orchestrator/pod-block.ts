import { map } from '../../field/list.ts';
import { Mistake } from '../../field/mistake.ts';
import { object } from '../../field/object.ts';
import { parsed } from '../../field/parsed.ts';
import { boolean } from '../../field/scalars.ts';
import { secretMaybe } from '../../field/secret.ts';
import { text } from '../../field/text.ts';
import { fallback, optional, type Of, type Type } from '../../field/type.ts';
import { type Place } from '../../place.ts';
import { programArguments } from '../../type/argument.ts';
import { imageReference } from '../../type/image.ts';

const suffixes: Readonly<Record<string, number>> = {
  '': 1,
  m: 0.001,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** An amount as the orchestrator writes it: `100m`, `1.5`, `128Mi`. */
const quantity: Type<number> = parsed('a quantity', {
  literal: true,
  json: { pattern: '^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$' },
  parse: (written) => {
    const [, digits, suffix = ''] = /^(\d{1,15}(?:\.\d{1,9})?)([mkMGT]|[KMGT]i)?$/u.exec(written) ?? [];
    return digits === undefined
      ? new Mistake('quantity.invalid', 'must be a quantity, such as 100m, 1.5 or 128Mi')
      : Number(digits) * (suffixes[suffix] ?? 1);
  },
});

const amounts = object({
  cpu: optional('processors', quantity),
  memory: optional('bytes', quantity),
});

/** What a pod of the control plane gets. */
export const resources = object(
  { requests: optional('kept free for it', amounts), limits: optional('at most', amounts) },
  {
    check: ({ requests = {}, limits = {} }, at) => {
      for (const name of ['cpu', 'memory'] as const)
        if ((requests[name] ?? 0) > (limits[name] ?? Infinity))
          at.at('requests', name).problem('resources.order', 'is more than the limit');
    },
  },
);

/** Fields of a program of the orchestrator that the node runs in a pod. */
export const podFields = {
  image: optional('its image', imageReference),
  extraArgs: optional('flags', programArguments),
  env: optional('variables', secretMaybe(map(text({ empty: true, lines: true, longest: 32_768 })))),
  resources: optional('what it gets', resources),
};

/** The same of a program that may be left out. */
export const optionalPodFields = {
  enabled: fallback('whether the node runs it', boolean, true),
  ...podFields,
};

/** A program that runs has an image. */
export function checkPod({ image, enabled = true }: Partial<Of<typeof optionalPodFields>>, at: Place): void {
  if (enabled && image === undefined) at.problemAt('image', 'required', 'required and missing');
}
