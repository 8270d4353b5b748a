export { blank } from './blank.ts';
export { content, requireUnused } from './wipe-content.ts';
export { signatures } from './wipe.ts';
