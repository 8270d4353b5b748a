/** Stands in requests for the image factory that the keeper starts: where that answers is known when the cluster is planned. */
export const ownFactory = 'http://own-factory.invalid';

/** Whether it is that factory who has something. */
export function isOwn(url: string): boolean {
  return url.startsWith(`${ownFactory}/`);
}
