import { expect, it } from 'vitest';
import { type FileScore, scoreFolder } from './damaged-csv-score.ts';

/** The folder `polluted_files` of the Pollock benchmark (HPI); its files are not part of this project. */
const { POLLOCK } = process.env;
const WORST = 25;

const mean = (scores: readonly FileScore[]): number =>
  scores.reduce((sum, { score }) => sum + score, 0) / Math.max(1, scores.length);

/** A name without its numbers: the kind of damage. */
const kindOf = ({ file }: FileScore): string => file.replace(/\d+/g, 'N');

it.skipIf(POLLOCK === undefined)(
  'the damaged CSV files of the folder POLLOCK are read with 9.95 of 10, and none is refused',
  async () => {
    const scores = await scoreFolder(POLLOCK ?? '');
    console.log(`${scores.length} files: ${mean(scores).toFixed(4)} of 10`);
    for (const kind of new Set(scores.map(kindOf))) {
      const of = scores.filter((one) => kindOf(one) === kind);
      const doubted = of.filter((one) => one.doubted > 0).length;
      console.log(`  ${mean(of).toFixed(4)}  ${of.length} × ${kind}, ${doubted} with a doubt`);
    }
    const worst = [...scores].sort((one, other) => one.score - other.score).slice(0, WORST);
    for (const { file, score, refused } of worst) console.log(`  ${score.toFixed(4)}  ${file} ${refused}`);
    expect(scores.filter(({ refused, score }) => refused !== '' && score === 0)).toEqual([]);
    expect(mean(scores)).toBeGreaterThanOrEqual(9.95);
  },
);
