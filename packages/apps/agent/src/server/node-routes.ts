import { X509Certificate } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http2';
import { isIP } from 'node:net';

import { isPassedOn, methodPath, passedOnPath } from '@nodecore/api/forward';

/**
 * Tells calls for this node from those for others, which their metadata name (`node`). gRPC finds handlers by the path alone, so a
 * call for another node gets one of its own before gRPC sees it; clients of this release send it so.
 */
export class NodeRoutes {
  #certificate: X509Certificate | undefined;

  /** This node is called by the names in the certificate that it shows. @param crt PEM. */
  use(crt: string): void {
    this.#certificate = new X509Certificate(crt);
  }

  /** A new stream, whose headers gRPC has not read yet; they are changed. */
  look(headers: IncomingHttpHeaders): void {
    const asked = headers[':path'] ?? '';
    const { node, nodes } = headers;
    if (node === undefined && nodes === undefined && !isPassedOn(asked)) return;
    const path = methodPath(asked);
    const isOwn = node !== undefined && nodes === undefined && this.#isOwn(String(node));
    if (isOwn) delete headers['node'];
    // One that has lost the name of its node is refused there: nobody knows whom it is for.
    headers[':path'] = isOwn ? path : passedOnPath(path);
  }

  #isOwn(name: string): boolean {
    if (name.length > maxNameLength) return false;
    const found =
      isIP(name) === 0
        ? this.#certificate?.checkHost(name, { subject: 'never', wildcards: false })
        : this.#certificate?.checkIP(name);
    return found !== undefined;
  }
}

const maxNameLength = 253;
