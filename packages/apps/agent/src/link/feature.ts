import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { kernelArgument } from '@nodecore/config/kernel-arguments';
import { Latest } from '@nodecore/waiting';

import { api } from '../api/feature.ts';
import { bootConfiguration } from '../configuration/sources-feature.ts';
import { kernelArguments } from '../image/kernel-arguments.ts';
import { node } from '../node.ts';
import { hostDirectory, persistence } from '../persistence/feature.ts';
import { dropStrings } from '../strings.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { linkStatuses } from './definitions.ts';
import { machineFacts } from './facts.ts';
import { inFile } from './identity-place.ts';
import { identityPlaces } from './identity-places.ts';
import { kernelLines } from './kernel-lines.ts';
import { tpmSealer } from './key-sealer.ts';
import { linkController } from './link-controller.ts';
import { Link } from './link.ts';
import { mediumLinks } from './medium-link.ts';

/** The node's link to its fleet, which begins before STATE is open. */
export const link: Feature<undefined> = feature({
  name: 'link',
  needs: { node, api, bootConfiguration, hostDirectory, persistence },
  writes: [linkStatuses],
  make: ({ node: { options, store, log, clock, runDirectory }, api: { server }, ...needs }) => {
    const { image, lines } = options;
    const facts = { store, publicKey: () => server.publicKey, osRelease: image?.osRelease };
    const changes = new Latest<object>();
    changes.set({}); // the fleet is told at the beginning
    const all = new Link({
      log,
      clock,
      server,
      facts: () => machineFacts(facts),
      factsChanged: (signal) => changes.changes(signal),
      lines: (signal) => (image === undefined ? (lines?.follow(signal) ?? none()) : kernelLines(signal)),
    });
    let ofMedium: string | undefined;
    let ofConfiguration: string | undefined;
    const use = (): void => all.use(ofConfiguration ?? ofMedium);
    const temporary = inFile(
      join(runDirectory, 'link-identity.json'),
      'it is in memory until a system is installed: a reboot before that makes another machine',
    );
    const places = {
      state: () => needs.persistence.volume,
      clock,
      temporary,
      sealer: tpmSealer(),
      waits: (reason: string) => all.wait(reason),
    };
    const isTold = (): boolean => ofConfiguration !== undefined;
    const run = async (signal: AbortSignal): Promise<void> => {
      const ofKernel =
        image && kernelArguments(await readFile(image.kernelCommandLine, 'utf8')).get(kernelArgument.link);
      const follow = async (): Promise<void> => {
        for await (const url of mediumLinks({ ...needs.bootConfiguration, isTold, clock }, signal)) {
          ofMedium = url ?? ofKernel;
          use();
          if (ofMedium !== undefined) dropStrings(log);
        }
      };
      const { hostDirectory: directory } = needs;
      const dial = async (): Promise<void> => {
        if (directory !== undefined)
          await all.run(inFile(join(directory.path, 'link-identity.json')), signal);
        else await all.runIn(identityPlaces(places, signal), signal);
      };
      await Promise.all([follow(), dial()]);
    };
    return {
      handle: undefined,
      controllers: [
        linkController({ link: all, run, certificate: server.changed, factsChanged: () => changes.set({}) }),
      ],
      configure: ({ configuration }) => {
        ofConfiguration = configuration.get('LinkAgentConfig')?.apiUrl.bytes.toString('utf8');
        use();
      },
      dispose: () => all[Symbol.dispose](),
    };
  },
});

async function* none(): AsyncGenerator<string, void, undefined> {}
