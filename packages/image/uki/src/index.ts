/** Unified kernel images: made, read, and what they will be measured as. */
export { assembleUki, type UkiOptions } from './assemble.ts';
export { UkiError, type UkiErrorCode } from './errors.ts';
export { extractSections } from './extract.ts';
export { type KernelParts, kernelParts } from './kernel-parts.ts';
export { measurePcr11, openPhases, predictPcr11 } from './measure.ts';
export { pcrPublicKey, pcrSignature } from './pcr-signature.ts';
export {
  type MeasuredSection,
  measuredSections,
  type SectionContents,
  type UkiProfile,
  type UkiSections,
} from './sections.ts';
