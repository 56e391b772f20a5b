import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import {
  OUTCOME_TONES,
  requestsText,
  SHOWN_WORDS,
  shownCounts,
  shownTotal,
  statusOf,
} from '../../core/counts.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { RowResult } from '../../core/plan.ts';
import {
  aboutText,
  changesText,
  isMade,
  issuesOf,
  messageText,
  needsWork,
  shownChanges,
} from '../../core/row-text.ts';
import { shownMinute, aboutText as timeText } from '../../core/shown-moment.ts';
import { visibleLine, visibleText } from '../../core/visible-text.ts';
import { serviceText } from '../../run/service-text.ts';
import type { Applied } from '../apply/apply-plan.ts';
import { COMES_TO, comesToTexts, LARGEST } from '../plan/comes-to.ts';
import type { Plan } from '../plan/plan-import.ts';
import { createProblemTally, type Problem } from '../results/problem-tally.ts';
import { notesOf, passedOver, unread } from '../results/reading-notes.ts';
import { nextTexts, RESULT_WORDS } from '../results/result-summary.ts';
import { outcomeOf, type ResultWording, sayIn, WANTED, withMade } from '../results/row-outcome.ts';

const WORDS = {
  ...RESULT_WORDS,
  import: t('Import of', 'Import van'),
  dryRun: t('Dry run: nothing was sent', 'Proefrun: er is niets verstuurd'),
  sent: t('Sent', 'Verstuurd'),
  nothing: t('There was nothing to send', 'Er was niets te versturen'),
  stopped: t('Stopped before the end', 'Gestopt voor het einde'),
  fingerprint: t('Fingerprint of the plan', 'Vingerafdruk van het plan'),
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
interface ReportSubject extends Applied {
  readonly plan: Plan;
  readonly wording: ResultWording;
  /** The run's rows, which are gone through once; of those of one outcome so many are listed that a page can show them. */
  readonly results: AsyncIterable<RowResult>;
  /** When the run was planned and when this is written, wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly startedAt: string;
  readonly at: string;
  /** What the plan is known by. */
  readonly fingerprint: string;
}

/** Rows of a group that stand open. */
const OPEN_ROWS = 300;
/** Most problems that are listed. */
const MOST_PROBLEMS = 200;

/** A page that needs nothing else and runs nothing: not even a text taken for HTML could do anything. */
export async function reportPage(subject: ReportSubject): Promise<string> {
  const { plan, counts, sheets, notes, stopped, startedAt, at, fingerprint, wording } = subject;
  const rows = await gatherRows(subject.results, wording);
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

  const comesTo = (plan.comesTo ?? []).map((one) => {
    const { text, largest } = comesToTexts(one, language);
    const lines = largest.map((line) => html`<li>${visibleText(line)}</li>`);
    return html`<p>${visibleText(text)}</p>${lines.length > 0 && html`<details><summary>${word(LARGEST)}</summary><ul>${lines}</ul></details>`}`;
  });

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
  const time = plan.requests === 0 || plan.estimateMs === null ? '' : `, ${word(timeText(plan.estimateMs))}`;
  const title = `${word(WORDS.import)} ${visibleLine(basename(plan.workbook.file))}`;
  const ofSheet = (sheet: string): string[] =>
    notesOf(plan, sheet, wording).map((note) => `${sheet}: ${note}`);
  const body = html`<p class="state ${state === 'stopped' ? 'bad' : state === 'sent' ? 'good' : 'warn'}">${word(WORDS[state])}</p><h1>${title}</h1>
${paragraphs(stopped === null ? [] : [say(stopped.texts.message), stopped.texts.next === undefined ? '' : say(stopped.texts.next)])}<dl>${fact(WORDS.service, word(serviceText(plan.service)))}${fact(WORDS.run, plan.run)}${fact(WORDS.fingerprint, fingerprint)}${fact(WORDS.started, word(shownMinute(startedAt)))}${fact(WORDS.when, word(shownMinute(at)))}${dryRun && fact(WORDS.wouldSend, `${toSend}${time}`)}</dl>
${section(WORDS.counts, [countTable()])}${section(COMES_TO, comesTo)}${section(
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
function cellLinks(
  { sheet, count, addresses, records }: Problem,
  { anchors }: Pick<Awaited<ReturnType<typeof gatherRows>>, 'anchors'>,
): Html {
  const links = addresses.map((address, at) => {
    const anchor = rowAnchor(sheet, Number(/\d+$/.exec(address)?.[0] ?? 0));
    const about = records[at] ?? '';
    const cell = anchors.has(anchor) ? html`<a href="#${anchor}">${address}</a>` : address;
    return html`${at > 0 && ', '}${cell}${about !== '' && ` ${visibleText(about)}`}`;
  });
  return html`<span class="dim">${links}${count > addresses.length && ' …'}</span>`;
}

/** Most rows of one outcome that a report lists: a page of more is slow to open, and the result has them all. */
const MOST_ROWS = 2000;

/** The rows of one outcome, as lines of a table. */
interface RowGroup {
  readonly name: keyof typeof OUTCOME_TONES;
  readonly lines: Html[];
  count: number;
}

/** The id of a row in the page, for links. */
const rowAnchor = (sheet: string, row: number): string => `${sheet}-${row}`.replace(/\s/g, '_');

/** What a report says of a run's rows: those of each outcome, what needs work first. */
async function gatherRows(rows: AsyncIterable<RowResult>, wording: ResultWording) {
  const tally = createProblemTally(wording);
  const groups = new Map<keyof typeof OUTCOME_TONES, RowGroup>();
  /** Rows that are listed, by their anchors. */
  const anchors = new Set<string>();
  /** Rows of which there is nothing to say. */
  let unchanged = 0;
  for await (const result of rows) {
    tally.add(result);
    const name = outcomeOf(result, wording);
    const message = visibleText(messageText(result, wording.language, wording.form));
    if (name === 'unchanged' && message === '') {
      unchanged++;
      continue;
    }
    const group = groups.get(name) ?? { name, lines: [], count: 0 };
    groups.set(name, group);
    if (++group.count > MOST_ROWS) continue;
    anchors.add(rowAnchor(result.planned.sheet, result.planned.row));
    group.lines.push(rowLine(result, message, wording));
  }
  const names = Object.keys(OUTCOME_TONES) as (keyof typeof OUTCOME_TONES)[];
  const isWork = ({ name }: RowGroup): boolean => needsWork(statusOf(name, false));
  const inOrder = names.flatMap((name) => groups.get(name) ?? []);
  return {
    groups: [...inOrder.filter(isWork), ...inOrder.filter((group) => !isWork(group))],
    ...{ tally, anchors, unchanged },
  };
}

function rowLine(result: RowResult, message: string, wording: ResultWording): Html {
  const { planned, outcome } = result;
  const id = outcome?.id ?? planned.id;
  const issues = issuesOf(result);
  const tone = issues.some(({ severity }) => severity === 'error') ? 'bad' : issues.length > 0 && 'warn';
  return html`<tr id="${rowAnchor(planned.sheet, planned.row)}"><th scope="row">${planned.sheet} ${planned.row}</th><td>${visibleText(aboutText(planned))}${id !== null && html` <span class="dim">id ${id}</span>`}</td><td>${message !== '' && html`<p class="${tone}">${message}</p>`}${changeList(result, wording)}</td></tr>\n`;
}

/** What a row changes, a line each; what a new record is made with stands on one. */
function changeList({ planned, outcome }: RowResult, wording: ResultWording): Html | false {
  const made = isMade(planned) ? visibleText(changesText(planned, wording)) : '';
  const lines = shownChanges(planned, wording).map(
    ({ field, from, to }) =>
      html`<li>${field}: <del>${visibleText(from)}</del> → <ins>${visibleText(to)}</ins></li>`,
  );
  if (made === '' && lines.length === 0) return false;
  const wanted = !wording.dryRun && needsWork(outcome?.status ?? 'not sent');
  return html`${wanted && html`<p class="dim">${WANTED[wording.language]}</p>`}${made !== '' && html`<p>${made}</p>`}${lines.length > 0 && html`<ul>${lines}</ul>`}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\r': '&#13;',
};

const escaped = (text: string): string =>
  text.replaceAll('\0', '\ufffd').replace(/[&<>"'\r]/g, (character) => ENTITIES[character] ?? character);

/** HTML that is known to be ours. */
class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Part = Html | string | number | false | readonly Part[];

/** HTML of a template: what is filled in stays text, unless it is HTML of a template itself. */
const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.map((text, at) => text + markupOf(parts[at] ?? false)).join(''));

function markupOf(part: Part): string {
  if (part === false) return '';
  if (part instanceof Html) return part.markup;
  return typeof part === 'object' ? part.map(markupOf).join('') : escaped(String(part));
}

/** The style of a report, on a screen, on a phone and on paper. */
const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fff; --soft: #f4f5f3; --line: #d9dcd6; --ink: #1b1f1a; --dim: #596058; --link: #0b5a8a;
  --good: #1d6b32; --warn: #7a4d00; --bad: #a3231c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161916; --soft: #20241f; --line: #3a4039; --ink: #e9ece7; --dim: #a9b1a7; --link: #8cc8ee;
    --good: #9adba5; --warn: #f0c777; --bad: #f5a79f;
  }
}
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); font: 1rem/1.45 system-ui, "Segoe UI", "Liberation Sans", sans-serif; }
main { max-width: 64rem; margin: auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0.25rem 0 1rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 0.5rem; break-after: avoid; }
p { margin: 0.25rem 0; white-space: pre-line; }
a { color: var(--link); }
code { font: 0.9em ui-monospace, Menlo, Consolas, monospace; }
dl { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; margin: 0; }
dt, .dim { color: var(--dim); }
dd { margin: 0; }
td p { margin: 0; }
ul { margin: 0; padding-left: 1.1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 1rem 0.35rem 0; border-bottom: 1px solid var(--line); font-weight: 400; }
.counts { overflow-x: auto; overflow-wrap: normal; }
.counts td, .counts thead th { text-align: right; font-variant-numeric: tabular-nums; }
.counts thead th:first-child { text-align: left; }
.counts tr.total > * { font-weight: 600; }
.rows { table-layout: fixed; }
.rows th:first-child { width: 17%; overflow-wrap: break-word; hyphens: auto; }
.rows th:nth-child(2) { width: 28%; }
summary { cursor: pointer; padding: 0.4rem 0; font-weight: 600; }
.state { font-weight: 600; }
.good { color: var(--good); }
.warn { color: var(--warn); }
.bad { color: var(--bad); }
tr:target { background: var(--soft); }
del, ins { text-decoration: none; white-space: pre-wrap; unicode-bidi: isolate; }
del { color: var(--dim); text-decoration: line-through; }
ins { font-weight: 600; }
@media (max-width: 40rem) { th, td { padding-right: 0.5rem; } .rows th:first-child { width: 25%; } }
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #000; --dim: #444; --line: #bbb; --link: #000; --good: #14532d; --warn: #6b4300; --bad: #8f1d17; }
  html { font-size: 8.5pt; }
  main { max-width: none; padding: 0; }
  tr, li { break-inside: avoid; }
  thead { display: table-header-group; }
  ::details-content { content-visibility: visible; display: block; }
}
@page { margin: 14mm 12mm 16mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt system-ui, sans-serif; } }
`;
