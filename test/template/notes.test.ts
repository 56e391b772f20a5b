import { describe, expect, test } from 'vitest';
import { resources } from '../../src/resources/registry.ts';
import type { Resource } from '../../src/schema/resource.ts';
import { describeColumns } from '../../src/template/columns.ts';

const noteOf = (resource: Resource, name: string, language: 'en' | 'nl'): string =>
  describeColumns(resource, { language, resources, lists: [] })
    .find((one) => one.name === name)
    ?.column.note.join(' ') ?? '';

describe('the notes of a template', () => {
  const keyed: readonly Resource[] = resources.filter((resource) => 'external' in resource);

  test.each(keyed.map((resource) => [resource.name, resource] as const))(
    'say on its keys and on #action that a row of %s without a key is asked about, or says create',
    (_, resource) => {
      for (const name of [...resource.keys, '#action']) {
        expect(noteOf(resource, name, 'nl')).toMatch(/wordt .*gevraagd .*create/);
        expect(noteOf(resource, name, 'en')).toMatch(/you are asked .*create/);
      }
    },
  );

  test.each(
    resources
      .filter((resource) => !keyed.includes(resource))
      .map((resource) => [resource.name, resource] as const),
  )('name no ExternalID on %s, which has none', (_, resource) => {
    expect(noteOf(resource, '#action', 'nl')).not.toMatch(/ExternalID/);
  });

  test('are no longer than Excel shows', () => {
    for (const resource of resources) {
      for (const { column } of describeColumns(resource, { language: 'nl', resources, lists: [] }))
        expect(column.check?.prompt?.length ?? 0, column.header).toBeLessThanOrEqual(255);
    }
  });
});
