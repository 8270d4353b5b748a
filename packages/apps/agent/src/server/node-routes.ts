import { X509Certificate } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http2';
import { isIP } from 'node:net';

/** In front of the path of a method whose calls are for other nodes. */
const prefix = '/passed-on';

/** The path by which calls of a method are served that are for other nodes. */
export function passedOnPath(path: string): string {
  return prefix + path;
}

/** The method of a call, for whichever node it is. */
export function methodPath(path: string): string {
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}

/**
 * Tells calls for this node from those for others, which their metadata name (`node`). gRPC finds handlers by the path alone, so a
 * call for another node gets one of its own before gRPC sees it.
 */
export class NodeRoutes {
  #certificate: X509Certificate | undefined;

  /** This node is called by the names in the certificate that it shows. @param crt PEM. */
  use(crt: string): void {
    this.#certificate = new X509Certificate(crt);
  }

  /** A new stream, whose headers gRPC has not read yet; they are changed. */
  look(headers: IncomingHttpHeaders): void {
    const path = methodPath(headers[':path'] ?? '');
    headers[':path'] = path; // nobody asks for a route, but by naming a node
    const { node, nodes } = headers;
    if (node === undefined && nodes === undefined) return;
    if (nodes === undefined && this.#isOwn(String(node))) delete headers['node'];
    else headers[':path'] = passedOnPath(path);
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
