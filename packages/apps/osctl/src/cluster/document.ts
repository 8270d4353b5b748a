import { stringify } from 'yaml';

/** A document of a configuration as text, which has no anchors: values that are there twice are written twice. */
export function document(kind: string, more: object): string {
  return stringify({ apiVersion: 'v1alpha1', kind, ...more }, { lineWidth: 0, aliasDuplicateObjects: false });
}
