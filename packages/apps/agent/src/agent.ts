import { Store } from '@nodecore/state';
import { systemClock } from '@nodecore/waiting';

import type { AgentOptions } from './agent-options.ts';
import { bootIdOf } from './boot-id.ts';
import { EventLog } from './events/event-log.ts';
import { eventLog } from './events/feature.ts';
import { definitions, features } from './features.ts';
import type { Ending } from './ending.ts';
import { node, type NodeContext } from './node.ts';
import { hostDirectory } from './persistence/feature.ts';
import { StateDirectory } from './persistence/state-directory.ts';
import { Catalog } from './resources/catalog.ts';
import { catalog } from './resources/feature.ts';
import { api } from './api/feature.ts';
import type { Address } from './address.ts';
import { Supervisor } from './supervisor/supervisor.ts';
import { toldWhileSlow } from './told-while-slow.ts';

/**
 * The agent as a whole: its features, and the API in front of them.
 *
 * Needs root. A process that was killed leaves mounts and mappings behind; the next one takes them over.
 */
export class Agent {
  readonly #options: AgentOptions;
  readonly #supervisor: Supervisor;
  readonly #events: EventLog;
  readonly #ending = Promise.withResolvers<Ending>();
  #address: Address;
  /** Whose the end is. */
  #actor = '';

  private constructor(options: AgentOptions, directory: StateDirectory | undefined) {
    const { log, clock = systemClock, runDirectory = '/run/nodecore' } = options;
    const events = (this.#events = new EventLog({ clock, bootId: bootIdOf(options) }));
    this.#options = options;
    this.#address = options.listen;
    const context: NodeContext = {
      options,
      log,
      clock,
      store: new Store({ clock }),
      runDirectory,
      address: () => this.#address,
      dependencies: () => this.#supervisor.dependencies,
      controllerCounts: () => this.#supervisor.counts,
      activate: (next) => this.#supervisor.activate(next),
      halt: (how) => this.#supervisor.halt(how),
      end: (ending) => {
        this.#actor = events.actor;
        this.#ending.resolve(ending);
      },
    };
    this.#supervisor = new Supervisor(features, {
      stepped: ({ kind, name, action }) =>
        void events.emit(
          kind === 'phase' ? { type: 'phase', phase: name, action } : { type: 'task', task: name, action },
        ),
      log,
      clock,
      store: context.store,
      given: [
        [node, context],
        [hostDirectory, directory],
        [eventLog, events],
        [catalog, new Catalog(definitions)],
      ],
    });
  }

  /** Starts everything. The API answers when this resolves, or, where a system disk is looked for, soon after. */
  static async start(options: AgentOptions): Promise<Agent> {
    const directory = options.state === undefined ? undefined : await StateDirectory.open(options.state);
    const agent = new Agent(options, directory);
    await agent.#start();
    return agent;
  }

  /** Where the API listens. */
  get address(): Address {
    return this.#address;
  }

  /** Resolves when a reset has been done, and all is to begin anew. The agent is to be stopped then. */
  get ending(): Promise<Ending> {
    return this.#ending.promise;
  }

  /** Ends everything: calls first, volumes last. */
  async stop(): Promise<void> {
    const { log, clock = systemClock } = this.#options;
    log.info('stopping');
    const { server } = this.#supervisor.handle(api);
    const calls = (): readonly string[] => [`${server.counts().calls} calls`];
    await toldWhileSlow('stopServer', calls, () => server.close(), { log, clock });
    await this.#events.as(this.#actor, () => this.#supervisor.halt({ unmount: this.#options.unmountOnExit }));
    await this.#supervisor[Symbol.asyncDispose]();
  }

  async #start(): Promise<void> {
    const { server } = this.#supervisor.handle(api);
    server.serve((options) => this.#supervisor.services(options));
    this.#address = await server.listen(this.#options.listen);
    await this.#supervisor.start();
  }
}
