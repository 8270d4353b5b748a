import type { InjectionMethod } from './injection-method.ts';
import type { Preset } from './presets.ts';

/**
 * How machines of a fleet find the document by which they dial it: over their API nodes take whole configurations alone, and this one is
 * none.
 */
export const linkInjection: InjectionMethod = 'metal-iso';

/** The origin of a fleet manager; what is wrong with its URL goes to `problems`. */
export function readFleet(text: string | undefined, problems: string[]): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && url.host !== '' && url.searchParams.has('jointoken'))
    return `${url.protocol}//${url.host}`;
  problems.push('--fleet-api-endpoint: a URL with scheme, host and ?jointoken= is expected'); // its text may be a secret
  return undefined;
}

/** What keeps machines from such a medium goes to `problems`. */
export function checkFleet(
  { presets, uefi }: { readonly presets: readonly Preset[]; readonly uefi: boolean },
  problems: string[],
): void {
  const instead = 'put a LinkAgentConfig into the schematic of the image';
  if (presets.includes('pxe'))
    problems.push(`--fleet-api-endpoint: iPXE’s script is the same for all machines: ${instead}`);
  else if (!uefi) problems.push(`--fleet-api-endpoint: a BIOS tells no image where to look: ${instead}`);
}
