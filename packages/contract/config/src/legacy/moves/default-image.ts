import { type Node } from 'yaml';

import { word } from '../nodes.ts';

/** Version of the orchestrator's programs unless one is given. */
export const defaultOrchVersion = 'v1.35.0';

/** The image of a program of the orchestrator that the root does not name. */
export function defaultImage(program: string, from: Node | undefined): Node {
  return word(`registry.k8s.io/${program}:${defaultOrchVersion}`, from);
}
