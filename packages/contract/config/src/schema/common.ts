import { z, type ZodString } from 'zod';

/**
 * A text that must never be shown. `writeOnly` is JSON Schema's word for it, and what redaction looks for: a field is
 * secret because of its type, not because of its name.
 */
export function secretText(description: string): ZodString {
  return z.string().meta({ writeOnly: true, description });
}

/*
 * Patterns are for editors; our own parser says what is wrong with a size. An empty text is no size.
 */
const amount = String.raw`(\d+|\d{1,3}(,\d{3})+)(\.\d+)? *([kKmMgGtTpPeE]([iI]?[bB])?|[kKmMgGtTpPeE][iI]|[bB])?`;
const share = String.raw`(100(\.0+)?|\d{1,2}(\.\d{1,18}0*)?)%`;

/** Numbers are accepted because YAML reads `1048576` as one; the text as written is what gets parsed. */
export const size: z.ZodUnion<readonly [z.ZodString, z.ZodNumber]> = z.union([z.string(), z.number()]).meta({
  pattern: String.raw`^\s*(${amount})?\s*$`,
  minimum: 0,
  description: 'bytes with an optional unit (50GiB, 500MB)',
});

/** As {@link size}, and also a percentage or a negative amount, which leaves that much free. */
export const sizeOrShare: z.ZodUnion<readonly [z.ZodString, z.ZodNumber]> = z
  .union([z.string(), z.number()])
  .meta({
    pattern: String.raw`^\s*(-?(${amount}|${share}))?\s*$`,
    description: 'bytes (50GiB) or a share (80%); negative: this much stays free (-10GiB, -10%)',
  });

/** The only version of documents with a `kind`; the root document has it in `version` instead. */
export const apiVersion: z.ZodLiteral<'v1alpha1'> = z.literal('v1alpha1');

/** Length and characters are for editors; `checkName` reports what is wrong with a name. */
export const documentName: z.ZodString = z.string().meta({ pattern: '^[A-Za-z0-9-]{1,34}$' });

/** Name of a volume without a GPT label of ours, whose 36 code units would limit it. */
export const foreignName: z.ZodString = z.string().meta({ pattern: '^[A-Za-z0-9-]{1,253}$' });
