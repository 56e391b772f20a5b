import type { KeyKeeping } from './kind.ts';

/** For rows that store no ExternalID: there is nothing to find out. */
export const KEYLESS: KeyKeeping = {
  kept: () => true,
  stored: async () => {},
  refused: async () => {},
};
