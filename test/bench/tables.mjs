// Makes tables of what was measured, for the terminal and for the paper.
import { summary } from './measure.mjs';
import { numbersOf, RACES } from './races.mjs';

/** What was measured of one race, at all its sizes. */
export function raceTable(race, measured) {
  const head = [
    race.name,
    '',
    'median',
    `× ${race.base}`,
    ...(race.each ? ['writes a second', 'of what latency allows'] : []),
    'peak memory',
  ];
  const rows = measured.flatMap((one) =>
    summary(race, one).map((row, at) => [
      at === 0 ? sizeLabel(one.size) : '',
      row.name,
      ...cells(race, one, row),
    ]),
  );
  return table(head, rows, 2);
}

function cells(race, { size }, { failure, ms, ratio, megabytes }) {
  const more = race.each ? ['', ''] : [];
  if (failure !== undefined) return [`fails: ${failure}`, '', ...more, ''];
  const each = race.each ? pace(race, numbersOf(size), ms) : [];
  const memory = megabytes === undefined ? '' : `${count(megabytes)} MB`;
  return [seconds(ms), ratio.toFixed(2), ...each, memory];
}

function pace({ each, allowed }, numbers, ms) {
  const [perSecond, most] = [(1000 * each(numbers)) / ms, allowed(numbers)];
  return [count(perSecond), Number.isFinite(most) ? `${Math.round((100 * perSecond) / most)} %` : ''];
}

/** What each held ratio is, and what it may be. */
export function markTable(judgements) {
  const rows = judgements.map(({ name, ratio, best, mark, margin, verdict, says }) => [
    name,
    ratio?.toFixed(2) ?? '',
    best?.toFixed(2) ?? '',
    mark?.toFixed(2) ?? '',
    margin === undefined ? '' : `+${Math.round(margin * 100)} %`,
    verdict,
    says,
  ]);
  return table(['', 'ratio', 'of the best', 'mark', 'margin', 'verdict', 'what it says'], rows, 1);
}

/** On what it was measured, in a sentence. */
export function conditions({ node, cores, processor, load, rounds }) {
  return `Node ${node}, ${cores} × ${processor}; medians of ${rounds} rounds or more, with a load of ${load.toFixed(1)} before them.`;
}

/** The paper with the tables of these races anew, between their marks; the rest stays as it is. */
export function written(paper, measured, machine) {
  let text = paper;
  for (const race of RACES) {
    const own = measured.filter((one) => one.race === race.name);
    if (own.length === 0) continue;
    const place = new RegExp(`(<!-- bench: ${race.name} -->\n)[^]*?(<!-- /bench -->)`);
    if (!place.test(text)) throw new Error(`The paper has no place for ${race.name}.`);
    text = text.replace(
      place,
      (_, from, to) => `${from}${raceTable(race, own)}\n\n${conditions(machine)}\n${to}`,
    );
  }
  return text;
}

function table(head, rows, texts) {
  const lines = [head, head.map((_, at) => (at < texts ? '---' : '---:')), ...rows];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

const count = (number) => Math.round(number).toLocaleString('en');
const seconds = (ms) => (ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(2)} s`);
const sizeLabel = (size) => size.replace(' x ', ' × ').replace(/\d+/g, (number) => count(Number(number)));
