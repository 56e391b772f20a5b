import { expect, test } from 'vitest';
import { roomOf, source } from './source.ts';

/** The rooms that a command takes what runs from; of a session it knows the types as well. */
const OF_VALUES = ['api', 'desk', 'options', 'cli', 'core'];
const OF_TYPES = [...OF_VALUES, 'session'];

const commands = source.filter(({ path }) => path.startsWith('cli/commands/'));

test('the commands are found, with what they import', () => {
  expect(commands.length).toBeGreaterThan(8);
  expect(commands.flatMap(({ values }) => values)).toContain('api/import-workbook.ts');
});

test.each(commands.map((command) => [command.path, command] as const))(
  '%s goes from options to the public functions to the view',
  (_, { values, imports }) => {
    expect(values.filter((path) => !OF_VALUES.includes(roomOf(path)))).toEqual([]);
    expect(imports.filter((path) => !OF_TYPES.includes(roomOf(path)))).toEqual([]);
  },
);
