import { type Candidate, type FindCandidates, plain } from '@nodecore/cli';
import type { Names } from './names.ts';

/** Contexts of the client config. */
export const contextNames: FindCandidates = finder(async ({ contexts }) => plain(await contexts()));
/** Endpoints of the context. */
export const endpointNames: FindCandidates = finder(async ({ endpoints }) => plain(await endpoints()));
/** Nodes and endpoints of the context. */
export const nodeNames: FindCandidates = finder(async ({ nodes }) => plain(await nodes()));
/** Types of resources that the first node knows. */
export const typeNames: FindCandidates = finder(({ types }) => types());
/** Network interfaces of the first node that can be captured on. */
export const interfaceNames: FindCandidates = finder(async ({ interfaces }) => plain(await interfaces()));
/** Services of the first node, and its other logs. */
export const logNames: FindCandidates = finder(async ({ logs }) => plain(await logs()));

/** Ids of the resources that the first node has of a type; those that the line has are not named again. */
export function idsOf(type: string): FindCandidates {
  return async (line, terminal) => {
    const found = await finder(async ({ ids }) => plain(await ids(type)))(line, terminal);
    return found.filter(({ value }) => !line.positional.includes(value));
  };
}

/** Ids of the resources of the type that is the first argument of the line. */
export const idsOfFirst: FindCandidates = async (line, terminal) =>
  await idsOf(line.positional[0] ?? '')({ ...line, positional: [] }, terminal);

/** What talks to nodes is loaded when something is completed. */
function finder(find: (names: Names) => Promise<readonly Candidate[]>): FindCandidates {
  return async ({ flags }, terminal) => {
    const { readNames } = await import('./names.ts');
    return await find(readNames(flags, terminal));
  };
}

/** Paths below the directory of the word that is typed, on the first node. */
export const filePaths: FindCandidates = async (line, terminal) => {
  if (line.positional.length > 0) return [];
  return await finder(async ({ paths }) => plain(await paths(line.word)))(line, terminal);
};
