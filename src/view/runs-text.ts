import type { RunRecord } from '../ledger/ledger.ts';
import { COUNT_WORDS } from '../schema/count-words.ts';
import type { Counts } from '../schema/counts.ts';
import type { RowResult } from '../schema/plan.ts';
import { messageText, statusText } from '../schema/row-text.ts';
import type { Bilingual, Language } from '../schema/value.ts';

const STATES: Readonly<Record<RunRecord['state'], Bilingual>> = {
  planning: { en: 'plan not finished', nl: 'plan niet af' },
  planned: { en: 'planned, not sent', nl: 'gepland, niet verstuurd' },
  applying: { en: 'cut off, can be continued', nl: 'afgebroken, kan verder' },
  interrupted: { en: 'interrupted, can be continued', nl: 'onderbroken, kan verder' },
  done: { en: 'done', nl: 'klaar' },
};

/** A run to show; `busy` while another program is at work with this ledger. */
export interface ShownRun extends RunRecord {
  readonly busy: boolean;
  /** The run that took it back. */
  readonly takenBack?: string;
}

const BUSY: Readonly<Partial<Record<RunRecord['state'], Bilingual>>> = {
  planning: { en: 'being planned', nl: 'wordt gepland' },
  applying: { en: 'being sent', nl: 'wordt verstuurd' },
};

/** One run: its name, when, how far, which file, and its counts. */
export function runText(run: ShownRun, language: Language): string {
  const { counts } = run;
  const state = (run.busy ? BUSY[run.state] : undefined) ?? STATES[run.state];
  const would = run.state === 'planned' ? 'would' : 'done';
  const shown = (Object.keys(COUNT_WORDS) as (keyof Counts)[]).filter((name) => (counts?.[name] ?? 0) > 0);
  const numbers = shown.map((name) => `${counts?.[name]} ${COUNT_WORDS[name][would][language]}`).join(', ');
  return `${run.run}  ${run.startedAt}  ${state[language]}${takenBackWords(run, language)}\n    ${run.file} → ${run.service}${numbers === '' ? '' : `\n    ${numbers}`}`;
}

function takenBackWords({ takenBack }: ShownRun, language: Language): string {
  if (takenBack === undefined) return '';
  return language === 'nl' ? `, teruggedraaid in ${takenBack}` : `, taken back in ${takenBack}`;
}

/** One row of a run: where it stands, what became of it, and why. */
export function rowText(row: RowResult, dryRun: boolean, language: Language): string {
  const { planned, outcome } = row;
  const id = outcome?.id ?? planned.id;
  const head = `  ${planned.sheet} ${planned.row}: ${statusText(row, dryRun)}${id === null ? '' : ` (${id})`}`;
  const message = messageText(row, language);
  return message === '' ? head : `${head}: ${message.replaceAll('\n', '; ')}`;
}
