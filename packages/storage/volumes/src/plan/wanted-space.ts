/** Where a volume that has no place yet may still take space: on any disk that matches, or only on those with these ids. */
export type WantedSpace = 'anywhere' | readonly string[];

/** Whether later volumes, which left it the space, have reason to look again. */
export function givesWay(before: WantedSpace | undefined, now: WantedSpace | undefined): boolean {
  return before !== undefined && (now === undefined || (before === 'anywhere' && now !== before));
}
