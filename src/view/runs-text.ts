import { COUNT_WORDS, type Counts } from '../core/counts.ts';
import { t } from '../core/language.ts';
import type { RowResult } from '../core/plan.ts';
import { messageText, statusText } from '../core/row-text.ts';
import type { Bilingual, Language } from '../core/value.ts';
import type { RunRecord } from '../ledger/ledger.ts';

const STATES: Readonly<Record<RunRecord['state'], Bilingual>> = {
  planning: t('plan not finished', 'plan niet af'),
  planned: t('planned, not sent', 'gepland, niet verstuurd'),
  applying: t('cut off, can be continued', 'afgebroken, kan verder'),
  interrupted: t('interrupted, can be continued', 'onderbroken, kan verder'),
  done: t('done', 'klaar'),
};

/** A run to show; `busy` while another program is at work with this ledger. */
export interface ShownRun extends RunRecord {
  readonly busy: boolean;
  /** The run that took it back. */
  readonly takenBack?: string;
}

const BUSY: Readonly<Partial<Record<RunRecord['state'], Bilingual>>> = {
  planning: t('being planned', 'wordt gepland'),
  applying: t('being sent', 'wordt verstuurd'),
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
