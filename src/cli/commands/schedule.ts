import type { EntryEnd } from '../../api/schedule/entry-job.ts';
import { DOES, listSchedule, type ScheduleDocument } from '../../api/schedule/list-schedule.ts';
import { doNow, runSchedule, type ScheduleTold } from '../../api/schedule/run-schedule.ts';
import { EXIT, type ExitCode, StopError } from '../../core/errors.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import { shownMinute } from '../../core/shown-moment.ts';
import type { FlagsOf } from '../../options/options.ts';
import { inView } from '../show.ts';
import { END_SIGNALS, wrongUsage } from '../stops.ts';
import { showDocument } from '../view/documents.ts';
import { show } from '../view/lines.ts';
import type { View } from '../view/view.ts';
import { WORDS } from '../view/words.ts';

type ScheduleFlags = FlagsOf<'schedule'>;

/** `schedule`: does by the clock what the settings say, shows what that is, or does one entry now. */
export async function scheduleCommand(flags: ScheduleFlags): Promise<ExitCode> {
  const { list, once, json } = flags;
  if (list && once !== undefined)
    throw wrongUsage(
      t('--list and --once don’t go together.', '--list en --once gaan niet samen.'),
      t('Leave one of them out.', 'Laat er een weg.'),
      { without: ['list'] },
    );
  if (json !== undefined && !list && once === undefined)
    throw wrongUsage(
      t('--json goes with --list or --once NAME.', '--json hoort bij --list of --once NAAM.'),
      t('Leave it out, or add --list.', 'Laat het weg, of voeg --list toe.'),
      { give: { list: true } },
    );
  return await inView(flags, async (view) => {
    if (list) return await showList(flags);
    return await untilStopped((signal) =>
      once === undefined ? runAll(flags, view, signal) : runOne(flags, once, view, signal),
    );
  });
}

async function untilStopped(work: (signal: AbortSignal) => Promise<ExitCode>): Promise<ExitCode> {
  const interrupt = new AbortController();
  const { signal } = interrupt;
  const onSignal = (): void => {
    // What is out is awaited; a second one ends at once, and another scheduler goes on.
    if (signal.aborted) process.exit(EXIT.interrupted);
    interrupt.abort(new StopError(EXIT.interrupted, t('Interrupted.', 'Onderbroken.')));
  };
  for (const name of END_SIGNALS) process.on(name, onSignal);
  try {
    return await work(signal);
  } finally {
    for (const name of END_SIGNALS) process.off(name, onSignal);
  }
}

async function runAll(flags: ScheduleFlags, view: View, signal: AbortSignal): Promise<ExitCode> {
  const { list: _list, once: _once, json: _json, ...options } = flags;
  await runSchedule(options, { signal, told: toldIn(view) });
  return EXIT.ok;
}

async function runOne(
  flags: ScheduleFlags,
  name: string,
  view: View,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { list: _list, once: _once, json, ...options } = flags;
  const { exit, text, language } = await doNow(options, name, { signal, told: toldIn(view) });
  if (json !== undefined) showDocument('scheduleEntry', { name, exit, message: text[language] });
  else show('stdout', [endText(name, { exit, text })[language]]);
  return exit;
}

const toldIn = (view: View): ScheduleTold => ({
  began: () => view.note(WORDS.scheduleRuns),
  reread: (words) => view.note(words),
  said: (name, { en, nl }) => view.note(t(`${name}: ${en}`, `${name}: ${nl}`)),
  ended: (name, end) => view.note(endText(name, end)),
});

function endText(name: string, { exit, text: { en, nl } }: Pick<EntryEnd, 'exit' | 'text'>): Bilingual {
  const code = exit === EXIT.ok ? '' : ` (exit ${exit})`;
  const [said, gezegd] = en === '' ? ['nothing to do.', 'niets te doen.'] : [en, nl];
  return t(`${name}${code}: ${said}`, `${name}${code}: ${gezegd}`);
}

async function showList(flags: ScheduleFlags): Promise<ExitCode> {
  const { list: _list, once: _once, json, ...options } = flags;
  const { language, ...document } = await listSchedule(options);
  if (json !== undefined) showDocument('schedule', document);
  else
    show(
      'stdout',
      document.schedule.flatMap((entry) => linesOf(entry).map((line) => line[language])),
    );
  return EXIT.ok;
}

type Listed = ScheduleDocument['schedule'][number];

function linesOf(entry: Listed): readonly Bilingual[] {
  const { name, does, cron, tz, next, running } = entry;
  const when = momentIn(tz, next);
  const now = running ? RUNNING : t('', '');
  return [
    t(
      `${name}  ${DOES[does].en}  ${cron}  ${tz}${now.en}`,
      `${name}  ${DOES[does].nl}  ${cron}  ${tz}${now.nl}`,
    ),
    lastLine(entry),
    t(`  next: ${when.en}`, `  hierna: ${when.nl}`),
  ];
}

const RUNNING = t('  (at work now)', '  (nu bezig)');

function lastLine({ tz, last, looked }: Listed): Bilingual {
  const seen = looked === null ? NEVER : momentIn(tz, looked);
  if (last === null)
    return t(`  last: nothing to do (looked: ${seen.en})`, `  laatst: niets te doen (gekeken: ${seen.nl})`);
  const at = momentIn(tz, last.began);
  if (last.ended === null) return t(`  last: begun ${at.en}`, `  laatst: begonnen ${at.nl}`);
  const code = last.exit === EXIT.ok ? '' : `, exit ${last.exit}`;
  return t(
    `  last: ${at.en}${code}: ${last.message ?? ''}`,
    `  laatst: ${at.nl}${code}: ${last.message ?? ''}`,
  );
}

const NEVER = t('never', 'nooit');

function momentIn(zone: string, iso: string): Record<Language, string> {
  const parts = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  } as const;
  return shownMinute(new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...parts }).format(new Date(iso)));
}
