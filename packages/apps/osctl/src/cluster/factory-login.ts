import { type ClusterPlan, factoryOf } from '@nodecore/clusters';
import { stringify } from 'yaml';

/**
 * The document by which nodes get installer images of a factory that wants a login. The password is in the configuration alone.
 *
 * @param auth `user:password`
 */
export function loginDocument(auth: string, plan: ClusterPlan): string {
  const [username = '', ...password] = auth.split(':');
  return stringify(
    {
      apiVersion: 'v1alpha1',
      kind: 'RegistryAuthConfig',
      name: factoryOf(plan),
      username,
      password: password.join(':'),
    },
    { lineWidth: 0 },
  );
}
