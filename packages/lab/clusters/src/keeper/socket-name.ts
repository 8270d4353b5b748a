/** Of a cluster's directory; its path may be longer than the name of a socket, so it is opened below the directory. */
export const socketName = 'keeper.sock';
