/** Packets of one family of protocols, as the corpus wants them. */
export type Samples = readonly (readonly [
  name: string,
  stack: string,
  data: Uint8Array,
  linkType?: number,
])[];
