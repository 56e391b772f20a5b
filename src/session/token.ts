import { EXIT, StopError } from '../core/errors.ts';
import { t, withFlag } from '../core/language.ts';
import { readSmallText } from '../files/small-text.ts';

/**
 * The token, from the named file, else from CATERSHEET_TOKEN; never from a flag's value, which other users of
 * the machine could see. Throws StopError with EXIT.usage when there is none.
 */
export function readToken(file: string | undefined, environment: NodeJS.ProcessEnv): string {
  const token = (file === undefined ? environment.CATERSHEET_TOKEN : readTokenFile(file))?.trim() ?? '';
  if (token !== '') return token;
  throw new StopError(
    EXIT.usage,
    t('There is no token for the service.', 'Er is geen token voor het systeem.'),
    {
      next: withFlag(
        t('Set the token of the service.', 'Stel het token van het systeem in.'),
        'CATERSHEET_TOKEN, --token-file',
      ),
    },
  );
}

/** A token is a line. */
const MOST_BYTES = 2 ** 16;

function readTokenFile(file: string): string {
  try {
    return readSmallText(file, MOST_BYTES);
  } catch (cause) {
    throw new StopError(
      EXIT.usage,
      t(`The token file ${file} cannot be read.`, `Het tokenbestand ${file} kan niet worden gelezen.`),
      {
        next: t(
          'Check its name and rights, and that it holds the token alone.',
          'Kijk de naam en de rechten na, en of er alleen het token in staat.',
        ),
        cause,
      },
    );
  }
}
