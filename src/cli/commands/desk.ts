import { EXIT, type ExitCode } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { showLines } from '../../core/standard-streams.ts';
import { makeShortcut, openBrowser } from '../../desk/server/opening.ts';
import { startDesk } from '../../desk/server/start-desk.ts';
import type { FlagsOf } from '../../options/options.ts';
import { earlyLanguage } from '../../session/settings.ts';
import { askedToEnd, onEnd } from '../stops.ts';
import { show } from '../view/lines.ts';

/** `desk`: the page on the user's own machine, until it is stopped. */
export async function deskCommand(flags: FlagsOf<'desk'>): Promise<ExitCode> {
  const { port, open, shortcut, ...options } = flags;
  const language = earlyLanguage();
  if (shortcut) {
    showLines('stdout', [makeShortcut()]);
    return EXIT.ok;
  }
  const desk = await startDesk(options, {
    port,
    // Each address opens the page once; the last one always works.
    onAddress: (address) =>
      show('stderr', [
        t(
          'The page was opened. To open it once more, in another browser too:',
          'De pagina is geopend. Om haar nog eens te openen, ook in een andere browser:',
        )[language],
        address,
      ]),
  });
  const stopped = askedToEnd();
  showLines('stdout', [desk.address()]);
  show('stderr', [
    t(
      'The page runs on this machine alone, for as long as this program does. Ctrl-C ends it.',
      'De pagina draait alleen op deze computer, zolang dit programma draait. Stop met Ctrl-C.',
    )[language],
  ]);
  const opened = open ? await openBrowser(desk.address()) : null;
  if (opened === false)
    show('stderr', [
      t(
        'No browser could be opened: open the address yourself.',
        'Er kon geen browser geopend worden: open het adres zelf.',
      )[language],
    ]);
  await stopped;
  // What is out is awaited; a second Ctrl-C ends at once, and the next start goes on.
  const over = onEnd(() => process.exit(EXIT.interrupted));
  await desk.close();
  over();
  return EXIT.ok;
}
