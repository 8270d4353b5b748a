import type { IncomingMessage, ServerResponse } from 'node:http';

import { AuthService } from '@nodecore/fleet-api/protocol';

import type { Feature } from '../feature.ts';
import { unary } from '../server/handlers.ts';
import { servicePart } from '../server/service-part.ts';
import { PageFiles } from './files.ts';
import { answer } from './headers.ts';
import { sendMachineEvents } from './machine-events.ts';
import { answerSession } from './session-requests.ts';
import { Sessions } from './sessions.ts';

type Answering = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The web page: who has it open, and what it shows. */
export const web: Feature = {
  name: 'web',
  definitions: [],
  make: ({ state, clock, configuration, log, closing }) => {
    const sessions = new Sessions({ state, clock });
    let files: PageFiles | undefined;
    const page =
      (answering: Answering) =>
      (request: IncomingMessage, response: ServerResponse): void => {
        answering(request, response).catch((error: unknown) => {
          log.error({ err: error }, 'a page failed');
          if (response.headersSent) response.destroy();
          else answer(response, 500, 'internal error');
        });
      };
    return {
      prepare: async () => {
        files = await PageFiles.load();
      },
      services: (options) => [
        servicePart(AuthService, {
          createWebLogin: unary(options, async (_request, { caller }) => {
            // What follows # stays in the browser: no log and no referrer has it.
            const url = new URL('/login', configuration.advertisedUrl);
            url.hash = sessions.createLogin(caller);
            return { url: url.href };
          }),
        }),
      ],
      pages: {
        '/': (request, response) => files!.answer(request, response),
        '/api/session': page(async (request, response) => await answerSession(sessions, request, response)),
        '/api/machines': page(
          async (request, response) =>
            await sendMachineEvents({ state, sessions, closing }, request, response),
        ),
      },
    };
  },
};
