import { readFileSync } from 'node:fs';
import { EXIT, StopError } from '../errors.ts';

/**
 * The token, from the file that is named, else from CATERSHEET_TOKEN. Never from a flag's value, which other
 * users of the machine could see. Throws StopError with EXIT.usage when there is none.
 */
export function readToken(file: string | undefined, environment: NodeJS.ProcessEnv): string {
  const token = (file === undefined ? environment.CATERSHEET_TOKEN : readTokenFile(file))?.trim() ?? '';
  if (token !== '') return token;
  throw new StopError(
    EXIT.usage,
    { en: 'There is no token for the service.', nl: 'Er is geen token voor de dienst.' },
    {
      next: {
        en: 'Set CATERSHEET_TOKEN, or name a file that holds the token with --token-file.',
        nl: 'Zet het in CATERSHEET_TOKEN, of noem een bestand met het token met --token-file.',
      },
    },
  );
}

function readTokenFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new StopError(
      EXIT.usage,
      {
        en: `The token file ${file} cannot be read.`,
        nl: `Het tokenbestand ${file} kan niet worden gelezen.`,
      },
      { next: { en: 'Check its name and rights.', nl: 'Kijk de naam en de rechten na.' }, cause },
    );
  }
}
