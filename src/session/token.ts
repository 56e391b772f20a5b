import { readFileSync } from 'node:fs';
import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { decodeText } from '../files/text-encoding.ts';

/**
 * The token, from the named file, else from CATERSHEET_TOKEN; never from a flag's value, which other users of
 * the machine could see. Throws StopError with EXIT.usage when there is none.
 */
export function readToken(file: string | undefined, environment: NodeJS.ProcessEnv): string {
  const token = (file === undefined ? environment.CATERSHEET_TOKEN : readTokenFile(file))?.trim() ?? '';
  if (token !== '') return token;
  throw new StopError(
    EXIT.usage,
    t('There is no token for the service.', 'Er is geen token voor de dienst.'),
    {
      next: t(
        'Set CATERSHEET_TOKEN, or name a file that holds the token with --token-file.',
        'Zet het in CATERSHEET_TOKEN, of noem een bestand met het token met --token-file.',
      ),
    },
  );
}

function readTokenFile(file: string): string {
  try {
    return decodeText(readFileSync(file));
  } catch (cause) {
    throw new StopError(
      EXIT.usage,
      t(`The token file ${file} cannot be read.`, `Het tokenbestand ${file} kan niet worden gelezen.`),
      { next: t('Check its name and rights.', 'Kijk de naam en de rechten na.'), cause },
    );
  }
}
