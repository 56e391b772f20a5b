import { EXIT } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { showLines } from '../core/standard-streams.ts';
import { saidLanguage } from '../session/spoken-language.ts';

/** Ends the program in a folder that is gone, before yargs asks for it while it is loaded. */
try {
  process.cwd();
} catch {
  const gone = t(
    'The folder that you are in is gone. Go to another one.',
    'De map waarin je bent, is er niet meer. Ga naar een andere.',
  );
  showLines('stderr', [gone[saidLanguage(process.argv)]]);
  process.exit(EXIT.usage);
}
