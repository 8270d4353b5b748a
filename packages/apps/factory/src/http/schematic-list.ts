import { FactoryError } from '../errors.ts';
import type { Factory, Viewer } from '../factory.ts';
import { type Answer, jsonAnswer } from './answer.ts';

/**
 * A page of the schematics of who asks.
 *
 * @throws {FactoryError} as {@link Factory.schematicsOf}, and with `ERR_FACTORY_REQUEST` without `mine`: there is no list of all.
 */
export async function schematicList(
  factory: Pick<Factory, 'schematicsOf'>,
  query: Readonly<Record<string, string>>,
  viewer: Viewer | undefined,
): Promise<Answer> {
  const { mine, after, limit } = query;
  if (mine === undefined || !['', 'true'].includes(mine))
    throw new FactoryError('ERR_FACTORY_REQUEST', 'only your own schematics are listed: /schematics?mine');
  const { schematics, next } = await factory.schematicsOf(viewer, { after, limit });
  return jsonAnswer(200, {
    schematics: schematics.map(({ id, text, createdAt }) => {
      return { id, schematic: text, created_at: createdAt.toISOString() };
    }),
    ...(next !== undefined && { next }),
  });
}
