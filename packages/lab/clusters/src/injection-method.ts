import type { BootImage } from './boot-image.ts';

/** How a machine gets its configuration without being asked; else it is given it over its API. */
export const injectionMethods = ['http', 'metal-iso', 'cidata'] as const;

export type InjectionMethod = (typeof injectionMethods)[number];

/** What keeps a method from what the machines start from, in words. */
export function injectionProblem(
  method: InjectionMethod | undefined,
  { image, uefi }: { readonly image: BootImage; readonly uefi: boolean },
): string | undefined {
  if (method === undefined || 'kernel' in image) return undefined;
  if ('pxe' in image) return 'iPXE’s script has the kernel’s arguments, and is the same for all machines';
  return uefi ? undefined : 'without UEFI only a kernel of this computer is told where it is';
}
