import type { Changes } from './change.ts';
import { featureFace, featureTest, featureWork } from './feature-texts.ts';
import { type Name, nameOf } from './name.ts';
import { newResource } from './resource.ts';
import { withImport } from './with-import.ts';

const agent = 'packages/apps/agent';

/** A feature of the agent: its folder with one face, a controller with a status, its place in the list of features, and tests. */
export async function newFeature(changes: Changes, name: Name): Promise<void> {
  const { camel, kebab } = name;
  changes.refuse(`${agent}/src/${kebab}`);
  changes.create(`${agent}/src/${kebab}/feature.ts`, featureFace(name));
  changes.create(`${agent}/src/${kebab}/${kebab}-controller.ts`, featureWork(name));
  changes.create(`${agent}/test/${kebab}.test.ts`, featureTest(name));
  await newResource(changes, nameOf(`${kebab}-status`), kebab);
  const list = `${agent}/src/features.ts`;
  await changes.edit(list, (text) => text.replace('  boot,\n];', `  ${camel},\n$&`));
  await changes.edit(list, (text) => withImport(text, camel, `./${kebab}/feature.ts`));
}
