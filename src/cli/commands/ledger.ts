import { EXIT, type ExitCode, usageStop } from '../../core/errors.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import { shownUtc } from '../../core/shown-moment.ts';
import { systemTime } from '../../core/time.ts';
import { backUpLedger, checkLedger, chooseCopy, restoreLedger } from '../../ledger/ledger-files.ts';
import { moveLedger } from '../../ledger/move.ts';
import type { Given } from '../../options/options.ts';
import { ledgerPlace, resolveSettings } from '../../session/settings.ts';
import { agreed, inView } from '../show.ts';

import { show, type View } from '../view/lines.ts';

type Flags = Given<'ledger'>;
type Checked = Awaited<ReturnType<typeof checkLedger>>;
type Copy = Checked['copies'][number];
type Restored = ReturnType<typeof restoreLedger>;

/** `ledger check|backup|restore|move [FILE]`: looks after the ledger; it needs no service. */
export async function ledgerCommand(flags: Flags): Promise<ExitCode> {
  return await inView(flags, async (view) => {
    await { check, backup, restore, move }[flags.action](flags, view);
    return EXIT.ok;
  });
}

async function check(flags: Flags, view: View): Promise<void> {
  if (flags.file !== undefined)
    throw usageStop(
      t('ledger check takes no file.', 'ledger check krijgt geen bestand.'),
      t('Name the ledger with --ledger.', 'Noem het register met --ledger.'),
    );
  const { language } = view;
  const { ledger, found, copies, isFile } = await checkLedger(resolveSettings(flags).ledger);
  const { stop } = found ?? {};
  const moved = found?.moved?.texts.message;
  const state =
    found?.holds === undefined
      ? t(`There is no ledger ${ledger} yet.`, `Er is nog geen register ${ledger}.`)
      : t(
          `The ledger ${ledger} is whole: ${holdsText(found.holds).en}.`,
          `Het register ${ledger} is heel: ${holdsText(found.holds).nl}.`,
        );
  const document = {
    ...{ ledger, whole: stop === undefined },
    problem: stop?.texts.message[language] ?? null,
    next: stop?.texts.next?.[language] ?? moved?.[language] ?? null,
    holds: found?.holds ?? null,
    copies: copies.map(copyDocument(language)),
  };
  const lines = [
    ...(stop === undefined ? [state] : []),
    ...(moved ? [moved] : []),
    ...(isFile ? copyLines(copies) : []),
  ];
  view.show(document, inLanguage(lines, view));
  if (stop !== undefined) throw stop;
}

async function backup(flags: Flags, view: View): Promise<void> {
  const made = backUpLedger(flags.file, resolveSettings(flags).ledger);
  const { en, nl } = holdsText(made.holds);
  const lines = [t(`Backup: ${made.backup} (${en}).`, `Back-up: ${made.backup} (${nl}).`)];
  if (made.replaced) lines.push(t('It replaces an earlier one.', 'Ze vervangt een eerdere.'));
  view.show(made, inLanguage(lines, view));
}

async function move(flags: Flags, view: View): Promise<void> {
  const { file, to } = flags;
  if (file === undefined)
    throw usageStop(
      t('ledger move needs to know where to.', 'ledger move moet weten waarheen.'),
      t(
        'Name it: catersheet ledger move postgres://user@server/database.',
        'Noem het: catersheet ledger move postgres://gebruiker@server/database.',
      ),
    );
  const [from, target] = to === undefined ? [resolveSettings(flags).ledger, file] : [file, to];
  const moved = await moveLedger(ledgerPlace(from), ledgerPlace(target), systemTime, (table, rows) =>
    view.note(t(`${table}: ${rows} rows`, `${table}: ${rows} rijen`)),
  );
  const lines = [
    t(
      `The ledger is in ${moved.to} now, held row by row against ${moved.from}.`,
      `Het register staat nu in ${moved.to}, rij voor rij vergeleken met ${moved.from}.`,
    ),
    t(
      `${moved.from} is used no more. Name the new one with --ledger, or in your settings: "ledger": ${JSON.stringify(moved.to)}.`,
      `${moved.from} wordt niet meer gebruikt. Noem het nieuwe met --ledger, of in je instellingen: "ledger": ${JSON.stringify(moved.to)}.`,
    ),
  ];
  view.show(moved, inLanguage(lines, view));
}

async function restore(flags: Flags, view: View): Promise<void> {
  const chosen = chooseCopy(flags.file, resolveSettings(flags).ledger);
  const { ledger, copies, at } = chosen;
  const named = flags.file !== undefined;
  if (!named && flags.json === undefined) show('stdout', inLanguage(copyLines(copies), view));
  const question = t(
    `Put the copy of ${shownUtc(at).en} in the place of ${ledger}? [y/N] `,
    `De kopie van ${shownUtc(at).nl} in de plaats van ${ledger} zetten? [j/N] `,
  );
  // A copy that is named was chosen already.
  if (!named && !(await agreed(flags, view, question))) return;
  const { copies: _, ...done } = restoreLedger(chosen);
  view.show(done, inLanguage(restoredLines({ ...chosen, ...done }), view));
}

const NOTHING = { runs: 0, rows: 0, records: 0, postings: 0 };

const holdsText = ({ runs, rows, records, postings }: Restored['holds'] & object): Bilingual =>
  t(
    `runs: ${runs}, rows: ${rows}, records with an ExternalID: ${records}, made or posted once: ${postings}`,
    `runs: ${runs}, rijen: ${rows}, records met een ExternalID: ${records}, eenmalig gemaakt of geboekt: ${postings}`,
  );

function copyLines(copies: readonly Copy[]): Bilingual[] {
  if (copies.length === 0) return [t('No copies are kept of it yet.', 'Er zijn nog geen kopieën van.')];
  const lines = copies.flatMap(({ file, at, found }) => {
    const when = shownUtc(at);
    const { en, nl } =
      found?.holds === undefined
        ? (found?.stop?.texts.message ?? t('empty', 'leeg'))
        : holdsText(found.holds);
    return [t(`  ${when.en}  ${file}`, `  ${when.nl}  ${file}`), t(`    ${en}`, `    ${nl}`)];
  });
  return [t('Copies of it:', 'Kopieën ervan:'), ...lines];
}

/** A copy as JSON shows it. */
const copyDocument =
  (language: Language) =>
  ({ file, at, found }: Copy) => ({
    ...{ file, at, whole: found?.holds !== undefined, holds: found?.holds ?? null },
    problem: found?.stop?.texts.message[language] ?? null,
  });

function restoredLines({ ledger, at, holds, kept, lost }: Restored): Bilingual[] {
  const { en, nl } = holdsText(holds ?? NOTHING);
  const when = shownUtc(at);
  return [
    t(
      `The ledger ${ledger} is now that of ${when.en}: ${en}.`,
      `Het register ${ledger} is nu dat van ${when.nl}: ${nl}.`,
    ),
    ...(kept === null ? [] : [t(`What was there is kept: ${kept}`, `Wat er stond, is bewaard: ${kept}`)]),
    ...lost.map(({ run, file }) =>
      t(
        `The rows of a later run are not in it: ${run}, ${file}`,
        `De rijen van een latere run staan er niet in: ${run}, ${file}`,
      ),
    ),
    t(
      `What was sent after ${when.en} may not be known. Before you import a file of after that again, look on the service which of its rows are there: a posting could go twice.`,
      `Wat na ${when.nl} verstuurd is, is misschien niet bekend. Kijk in het systeem welke rijen er staan, voordat je een bestand van daarna opnieuw importeert: een boeking kan anders twee keer gaan.`,
    ),
  ];
}

const inLanguage = (lines: readonly Bilingual[], { language }: View): string[] =>
  lines.map((line) => line[language]);
