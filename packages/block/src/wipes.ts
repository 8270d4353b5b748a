export { content } from './wipe-content.ts';
export { signatures } from './wipe.ts';
