import { type Move } from '../move.ts';
import { clusterMoves } from './cluster.ts';
import { controlPlaneMoves } from './control-plane.ts';
import { install } from './install.ts';
import { interfaces } from './interfaces.ts';
import { machineMoves } from './machine.ts';

/** Every field of the root that documents have replaced, with what it comes to. The order is that of the documents they make. */
export const moves: readonly Move[] = [
  ...machineMoves,
  interfaces,
  install,
  ...clusterMoves,
  ...controlPlaneMoves,
];
