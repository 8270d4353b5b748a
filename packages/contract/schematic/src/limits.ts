/** What a schematic may have at most. */
export const limits: Readonly<
  Record<
    | 'textBytes'
    | 'lexemes'
    | 'depth'
    | 'extensions'
    | 'kernelArgs'
    | 'kernelArgBytes'
    | 'meta'
    | 'configurationBytes',
    number
  >
> = {
  /** Bytes of the submitted text in UTF-8. */
  textBytes: 64 * 1024,
  /** Words, signs, spaces and line ends, as YAML tells them apart; a block of text is one. The largest schematic has 3 000. */
  lexemes: 10_000,
  /** Levels of maps and lists. */
  depth: 32,
  extensions: 64,
  kernelArgs: 128,
  kernelArgBytes: 1024,
  meta: 64,
  /** Bytes of the embedded configuration in UTF-8. */
  configurationBytes: 32 * 1024,
};
