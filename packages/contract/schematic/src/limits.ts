/** What a schematic may have at most. */
export const limits: Readonly<
  Record<'textBytes' | 'depth' | 'extensions' | 'kernelArgs' | 'meta' | 'configurationBytes', number>
> = {
  /** Bytes of the submitted text in UTF-8. */
  textBytes: 64 * 1024,
  /** Levels of maps and lists. */
  depth: 32,
  extensions: 64,
  kernelArgs: 128,
  meta: 64,
  /** Bytes of the embedded configuration in UTF-8. */
  configurationBytes: 32 * 1024,
};
