import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { releaseVersion } from '@nodecore/sys/pure';

import { isOwn, ownFactory } from './factory-origin.ts';
import type { ClusterPlan } from './plan.ts';
import { isProgram } from './programs.ts';
import type { ClusterRequest } from './request.ts';

/** Where nodes find it at the gateway, unless another service of this computer is there. */
const gatewayPorts: readonly number[] = [8081, 8082, 8083];

/** The factory of a checkout, and what it serves. */
export type FactoryPlace = {
  /** The program, without its arguments. */
  readonly serve: readonly [string, ...string[]];
  /** What builds a release of the checkout, without its arguments. */
  readonly build: readonly string[];
  readonly releases: string;
};

const checkout = new URL('../../../..', import.meta.url).pathname;

/** The factory of a checkout; undefined where there is none, as in an installed package. */
export function factoryPlace(directory: string = checkout): FactoryPlace | undefined {
  const program = join(directory, 'packages/apps/factory/bin/nodecore-factory.js');
  if (directory.includes('/node_modules/') || !isProgram(program)) return undefined;
  const builder = join(directory, 'packages/image/release/src/main.ts');
  return {
    serve: [process.execPath, program],
    build: [process.execPath, '--conditions=source', builder],
    releases: join(directory, '.cache/releases'),
  };
}

/** Whether the keeper starts the factory that a cluster has its images of. */
export function hasOwnFactory({ factory, image }: Pick<ClusterRequest, 'factory' | 'image'>): boolean {
  return factory === ownFactory || ('root' in image && isOwn(image.root));
}

/** What keeps the keeper from starting a factory that has the version, in words. */
export function ownFactoryProblems(
  request: Pick<ClusterRequest, 'factory' | 'image' | 'version'>,
  place: FactoryPlace | undefined,
): readonly string[] {
  if (!hasOwnFactory(request)) return [];
  const flag = request.factory === ownFactory ? '--image-factory-url' : '--image';
  if (place === undefined)
    return [
      `${flag} is missing: this osctl is of no checkout, whose image factory it would start; ${flag === '--image' ? 'give the root of the nodes, such as amd64/base.sqsh of a release' : 'give the URL of a factory'}`,
    ];
  const { version } = request;
  if (hasRelease(place, version) || version === releaseVersion) return [];
  return [
    `there is no release ${version} in ${place.releases}: npm run release -- --version ${version}, or give ${flag}`,
  ];
}

/** Whether there is a release of a version. */
export function hasRelease({ releases }: FactoryPlace, version: string): boolean {
  return existsSync(join(releases, version, 'release.json'));
}

/** A plan with the own factory at a port of this computer's loopback. Pure. Machines reach it at the gateway; containers install nothing. */
export function withOwnFactory(plan: ClusterPlan, port: number): ClusterPlan {
  const factory = { address: '127.0.0.1', port };
  const { lan, request } = plan;
  if (lan === undefined || request.factory !== ownFactory || request.airgapped === true)
    return { ...plan, factory };
  const taken = new Set(lan.outlets.map((outlet) => outlet.port));
  const own = gatewayPorts.find((each) => !taken.has(each)) ?? 8081;
  return { ...plan, factory, lan: { ...lan, outlets: [...lan.outlets, { port: own, target: factory }] } };
}

/** Where this computer has what is at a URL. Pure. */
export function hereOf({ factory }: Pick<ClusterPlan, 'factory'>, url: string): string {
  if (factory === undefined || !isOwn(url)) return url;
  return `http://${factory.address}:${factory.port}${url.slice(ownFactory.length)}`;
}
