import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { aboutText } from '../../core/codecs/moment.ts';
import { requestsText, SHOWN_WORDS, shownCounts, shownTotal } from '../../core/counts.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { OUTCOME_TONES } from '../../core/outcome-tones.ts';
import { shownMinute } from '../../core/shown-moment.ts';
import { visibleLine, visibleText } from '../../core/visible-text.ts';
import { serviceText } from '../../run/service-text.ts';
import type { Applied } from '../apply/apply-plan.ts';
import type { Plan } from '../plan/plan-import.ts';
import type { Problem } from '../results/problem-tally.ts';
import { notesOf, passedOver, unread } from '../results/reading-notes.ts';
import { nextTexts } from '../results/result-summary.ts';
import { RESULT_WORDS } from '../results/result-words.ts';
import { type ResultWording, sayIn, withMade } from '../results/row-outcome.ts';
import { type Html, html } from './html.ts';
import { type ReportRows, type RowGroup, rowAnchor } from './report-rows.ts';
import { STYLE } from './report-style.ts';

const WORDS = {
  ...RESULT_WORDS,
  import: t('Import of', 'Import van'),
  dryRun: t('Dry run: nothing was sent', 'Proefrun: er is niets verstuurd'),
  sent: t('Sent', 'Verstuurd'),
  nothing: t('There was nothing to send', 'Er was niets te versturen'),
  stopped: t('Stopped before the end', 'Gestopt voor het einde'),
  started: t('Planned at', 'Gepland op'),
  when: t('Report made at', 'Verslag gemaakt op'),
  wouldSend: t('Would be sent', 'Te versturen'),
  counts: t('In figures', 'In cijfers'),
  layout: t('How the file was read', 'Hoe het bestand gelezen is'),
  rows: t('Row by row', 'Rij voor rij'),
  row: t('Row', 'Rij'),
  record: t('Record', 'Record'),
  said: t('Changes and remarks', 'Wijzigingen en opmerkingen'),
  nothingListed: t(
    'No row changes, and there are no remarks.',
    'Geen enkele rij verandert en er zijn geen opmerkingen.',
  ),
  unlisted: t('Unchanged rows that are not listed:', 'Ongewijzigde rijen die hier niet bij staan:'),
  more: t('More, which stand in the result:', 'Meer, die in het resultaat staan:'),
} as const;

/** What a report is of. */
export interface ReportSubject extends Applied {
  readonly plan: Plan;
  readonly wording: ResultWording;
  readonly rows: ReportRows;
  /** When the run was planned and when this is written, wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly startedAt: string;
  readonly at: string;
}

/** Rows of a group that stand open. */
const OPEN_ROWS = 300;
/** Most problems that are listed. */
const MOST_PROBLEMS = 200;

/** A page that needs nothing else and runs nothing: not even a text taken for HTML could do anything. */
export function reportPage(subject: ReportSubject): string {
  const { plan, counts, sheets, notes, stopped, rows, startedAt, at, wording } = subject;
  const { language, dryRun } = wording;
  const word = (text: Bilingual): string => text[language];
  const say = sayIn(wording);
  const figure = (count: number): string => new Intl.NumberFormat(language).format(count);
  const section = (title: Bilingual, parts: readonly Html[]): Html =>
    html`${parts.length > 0 && html`<section><h2>${word(title)}</h2>${parts}</section>\n`}`;
  const paragraphs = (texts: readonly string[]): Html[] =>
    texts.filter((text) => text !== '').map((text) => html`<p>${visibleText(text)}</p>`);
  const fact = (name: Bilingual, value: string): Html =>
    html`<div><dt>${word(name)}</dt><dd>${value}</dd></div>`;

  const problems = (severity: Problem['severity']): Html[] => {
    const all = rows.tally.problems(severity);
    const lines = all
      .slice(0, MOST_PROBLEMS)
      .map(
        (one) =>
          html`<li><span class="${severity === 'error' ? 'bad' : 'warn'}">${one.sheet}${one.column !== '' && ` ${one.column}`} (${figure(one.count)})</span>: ${visibleText(one.text)} – ${cellLinks(one, rows)}</li>`,
      );
    const left = all.length - MOST_PROBLEMS;
    return lines.length === 0
      ? []
      : [html`<ul>${lines}</ul>`, ...paragraphs([left > 0 ? `${word(WORDS.more)} ${figure(left)}` : ''])];
  };

  const countTable = (): Html => {
    const each = withMade(sheets, wording);
    const total = shownTotal(each);
    const shown = shownCounts(total);
    const line = (name: string, of: typeof total, kind: string): Html =>
      html`<tr class="${kind}"><th scope="row">${name}</th>${shown.map((count) => html`<td>${figure(of[count])}</td>`)}</tr>`;
    const heads = shown.map(
      (name) => html`<th scope="col">${word(SHOWN_WORDS[name][dryRun ? 'would' : 'done'])}</th>`,
    );
    return html`<div class="counts"><table><thead><tr><th scope="col">${word(WORDS.sheet)}</th>${heads}</tr></thead><tbody>${each.map((one) => line(one.sheet, shownTotal([one]), ''))}${each.length > 1 && line(word(WORDS.total), total, 'total')}</tbody></table></div>`;
  };

  const group = ({ name, count, lines }: RowGroup): Html => {
    const title = word(SHOWN_WORDS[name][dryRun ? 'would' : 'done']);
    const heads = [WORDS.row, WORDS.record, WORDS.said].map(
      (head) => html`<th scope="col">${word(head)}</th>`,
    );
    const open = count <= OPEN_ROWS ? html` open` : false;
    const left = count - lines.length;
    return html`<details${open}><summary class="${OUTCOME_TONES[name]}">${title} (${figure(count)})</summary><table class="rows"><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table>${paragraphs([left > 0 ? `${word(WORDS.more)} ${figure(left)}` : ''])}</details>\n`;
  };

  const { created, updated, deleted, failed, unknown } = counts;
  const anySent = created + updated + deleted + failed + unknown > 0;
  const state = stopped !== null ? 'stopped' : dryRun ? 'dryRun' : anySent ? 'sent' : 'nothing';
  const toSend = word(requestsText(plan.requests));
  const time = plan.requests === 0 || plan.estimateMs === null ? '' : `, ${word(aboutText(plan.estimateMs))}`;
  const title = `${word(WORDS.import)} ${visibleLine(basename(plan.workbook.file))}`;
  const ofSheet = (sheet: string): string[] =>
    notesOf(plan, sheet, wording).map((note) => `${sheet}: ${note}`);
  const body = html`<p class="state ${state === 'stopped' ? 'bad' : state === 'sent' ? 'good' : 'warn'}">${word(WORDS[state])}</p><h1>${title}</h1>
${paragraphs(stopped === null ? [] : [say(stopped.texts.message), stopped.texts.next === undefined ? '' : say(stopped.texts.next)])}<dl>${fact(WORDS.service, word(serviceText(plan.service)))}${fact(WORDS.run, plan.run)}${fact(WORDS.started, word(shownMinute(startedAt)))}${fact(WORDS.when, word(shownMinute(at)))}${dryRun && fact(WORDS.wouldSend, `${toSend}${time}`)}</dl>
${section(WORDS.counts, [countTable()])}${section(
  WORDS.next,
  nextTexts(plan, sheets, wording).map(
    ({ why, command }) => html`<p>${word(why)}${command !== null && html` <code>${command}</code>`}</p>`,
  ),
)}${section(WORDS.problems, problems('error'))}${section(WORDS.oddities, problems('warning'))}${section(
  WORDS.layout,
  paragraphs([
    ...unread(plan, wording),
    ...passedOver(plan, wording),
    ...notesOf(plan, null, wording),
    ...notes.map(say),
    ...sheets.flatMap(({ sheet }) => ofSheet(sheet)),
  ]),
)}${section(WORDS.rows, [
  ...(rows.groups.length === 0 ? [html`<p>${word(WORDS.nothingListed)}</p>`] : rows.groups.map(group)),
  ...paragraphs([rows.unchanged > 0 ? `${word(WORDS.unlisted)} ${figure(rows.unchanged)}.` : '']),
])}`;

  const hash = createHash('sha256').update(STYLE).digest('base64');
  const rules = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
${
  html`<html lang="${language}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${rules}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><meta name="generator" content="catersheet"><title>${title}</title>`
    .markup
}<style>${STYLE}</style></head><body><main>
${body.markup}</main></body></html>
`;
}

/** The first cells of a problem, each with its record and as a link to its row where that is listed. */
function cellLinks({ sheet, count, addresses, records }: Problem, { anchors }: ReportRows): Html {
  const links = addresses.map((address, at) => {
    const anchor = rowAnchor(sheet, Number(/\d+$/.exec(address)?.[0] ?? 0));
    const about = records[at] ?? '';
    const cell = anchors.has(anchor) ? html`<a href="#${anchor}">${address}</a>` : address;
    return html`${at > 0 && ', '}${cell}${about !== '' && ` ${visibleText(about)}`}`;
  });
  return html`<span class="dim">${links}${count > addresses.length && ' …'}</span>`;
}
