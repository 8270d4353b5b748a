/** What is wrong with a connection, for programs. */
export type ConnectionFault =
  | 'refused' // nothing listens there
  | 'silent' // nothing there answers in time
  | 'no-route' // no way leads there
  | 'no-name' // nobody knows the name
  | 'not-allowed' // the system of the client does not let it connect
  | 'lost' // it was there, and ended
  | 'no-tls' // what listens there speaks something else
  | 'other-tls' // no version of TLS in common
  | 'expired' // the node's certificate, or one that it was signed with
  | 'not-yet-valid' // the same
  | 'unknown-authority' // the node's certificate is of another cluster, or of nobody
  | 'other-name' // the node's certificate is for other names
  | 'proxy' // the proxy on the way, which the node knows nothing of
  | 'client-expired' // the client's own certificate
  | 'client-refused'; // the node does not accept it, or wants one
