import { COMMAND_LIST } from '../../options/commands.ts';
import { resources } from '../../resources/registry.ts';

/** What the words behind a command choose from. */
export const NAMES_OF = {
  sheets: async (): Promise<readonly string[]> => resources.map(({ name }) => name),
  exports: async (): Promise<readonly string[]> => (await import('../../api/export.ts')).EXPORT_NAMES,
  commands: async (): Promise<readonly string[]> => COMMAND_LIST.map(([name]) => name),
};
