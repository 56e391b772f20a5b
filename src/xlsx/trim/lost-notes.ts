import { t } from '../../core/language.ts';
import type { Bilingual } from '../../core/value.ts';

/** How many of each could not be kept. */
interface LostCounts {
  readonly frozen: number;
  readonly lists: number;
  readonly controls: number;
  readonly slicers: number;
}

const NOTES: readonly (readonly [keyof LostCounts, Bilingual])[] = [
  [
    'frozen',
    t(
      'formulas that count on rows left out, or on places of cells, stand in it as their results',
      'formules die rekenen met weggelaten rijen of met plaatsen van cellen staan erin als hun uitkomst',
    ),
  ],
  [
    'lists',
    t(
      'lists to choose from that stood on rows left out are not in it',
      'keuzelijsten waarvan de keuzes op weggelaten rijen stonden, staan er niet in',
    ),
  ],
  [
    'controls',
    t(
      'buttons, check boxes and other controls are not in it, as a click would change another row',
      'knoppen, selectievakjes en andere besturingselementen staan er niet in, omdat een klik een andere rij zou veranderen',
    ),
  ],
  [
    'slicers',
    t(
      'slicers and timelines are not in it, as a table that they filter is not',
      'slicers en tijdlijnen staan er niet in, omdat een tabel die ze filteren er niet in staat',
    ),
  ],
];

/** What could not be kept, in sentences. */
export const lostNotes = (counts: LostCounts): Bilingual[] =>
  NOTES.flatMap(([kind, { en, nl }]) => {
    const count = counts[kind];
    return count === 0 ? [] : [t(`${en}: ${count}`, `${nl}: ${count}`)];
  });
