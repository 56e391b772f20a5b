// Holds what was measured against its marks: `marks.json` has, for each ratio, what was once measured, by how much it may be worse, and what it says.
import { summary } from './measure.mjs';
import { RACES } from './races.mjs';

/** For a mark that is new; whoever knows better how steady it is writes another one in the file. */
const MARGINS = { quick: 0.35, other: 0.25, memory: 0.1 };

const MEMORY = 'the peak memory, in times of that of the smaller file';

const plain = (name) => name.replaceAll(/[*`]/g, '');
const markName = (race, size, name) => `${race.name}, ${size}: ${plain(name)}`;
const memoryName = (race, first, last, name) =>
  `${race.name}, memory of ${last} against ${first}: ${plain(name)}`;

/** The contestants of a race that have marks, and the one they are divided by. */
export function marked(race) {
  const own = Object.keys(race.contestants).filter((name) => race.contestants[name].says);
  return [race.base, ...own];
}

/** The ratios that are held, of what was measured: each with its name, what it says, and what it is from. */
function heldRatios(measured) {
  const times = measured.flatMap((one) => {
    const race = RACES.find(({ name }) => name === one.race);
    return summary(race, one).flatMap(({ name, ratio, best, failure }) => {
      const { says } = race.contestants[name];
      return says ? [{ name: markName(race, one.size, name), ratio, best, failure, says, from: [one] }] : [];
    });
  });
  return [...times, ...RACES.flatMap((race) => heldMemory(race, measured))];
}

/** Memory at each further size, held against that at the first. */
function heldMemory(race, measured) {
  const [first, ...more] = measured.filter((one) => one.race === race.name);
  return (race.steady ?? []).flatMap((name) =>
    more.map((last) => {
      const [little, much] = [first, last].map(
        (one) => summary(race, one).find((row) => row.name === name)?.megabytes,
      );
      const held = { name: memoryName(race, first.size, last.size, name), says: MEMORY, from: [first, last] };
      return little && much
        ? { ...held, ratio: much / little, best: much / little }
        : { ...held, failure: 'not measured' };
    }),
  );
}

/** Each ratio with its mark and the verdict: `holds`, `worse`, `better`, `no mark`, or why it was not measured. */
export function judged(measured, marks) {
  return heldRatios(measured).map((held) => {
    const { ratio: mark, margin } = marks[held.name] ?? {};
    return { ...held, mark, margin, verdict: verdict(held, mark, margin) };
  });
}

/** A ratio is worse where that of the best times says so too: a slow moment meets the median alone. */
function verdict({ ratio, best, failure }, mark, margin) {
  if (failure !== undefined) return failure;
  if (mark === undefined) return 'no mark';
  if (Math.min(ratio, best) > mark * (1 + margin)) return 'worse';
  return Math.max(ratio, best) < mark * (1 - margin) ? 'better' : 'holds';
}

/** Whether a verdict lets a check pass. */
export const passes = ({ verdict }) => ['holds', 'better', 'no mark'].includes(verdict);

/** The marks with those of what was measured set anew; a margin that was given stays. */
export function newMarks(marks, measured, quick) {
  const made = heldRatios(measured)
    .filter(({ failure }) => failure === undefined)
    .map(({ name, ratio, says }) => {
      const kind = says === MEMORY ? 'memory' : quick ? 'quick' : 'other';
      const margin = marks[name]?.margin ?? MARGINS[kind];
      return [name, { ratio: Number(ratio.toFixed(2)), margin, says }];
    });
  return { ...marks, ...Object.fromEntries(made) };
}

/** The names of all marks there are to be: of each race at its quick and full sizes. */
export function markNames() {
  return RACES.flatMap((race) => {
    const [, ...own] = marked(race);
    return [race.sizes.quick, race.sizes.full].flatMap(([first, ...more]) => [
      ...[first, ...more].flatMap((size) => own.map((name) => markName(race, size, name))),
      ...more.flatMap((last) => (race.steady ?? []).map((name) => memoryName(race, first, last, name))),
    ]);
  });
}
