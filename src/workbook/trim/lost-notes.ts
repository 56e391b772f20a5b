import type { Bilingual } from '../../schema/value.ts';

/** How many of each could not be kept. */
export interface LostCounts {
  readonly frozen: number;
  readonly lists: number;
  readonly controls: number;
  readonly slicers: number;
}

const NOTES: readonly (readonly [keyof LostCounts, Bilingual])[] = [
  [
    'frozen',
    {
      en: 'formulas that count on rows left out, or on places of cells, stand in it as their results',
      nl: 'formules die rekenen met weggelaten rijen of met plaatsen van cellen staan erin als hun uitkomst',
    },
  ],
  [
    'lists',
    {
      en: 'lists to choose from that stood on rows left out are not in it',
      nl: 'keuzelijsten waarvan de keuzes op weggelaten rijen stonden, staan er niet in',
    },
  ],
  [
    'controls',
    {
      en: 'buttons, check boxes and other controls are not in it, as a click would change another row',
      nl: 'knoppen, selectievakjes en andere besturingselementen staan er niet in, omdat een klik een andere rij zou veranderen',
    },
  ],
  [
    'slicers',
    {
      en: 'slicers and timelines are not in it, as a table that they filter is not',
      nl: 'slicers en tijdlijnen staan er niet in, omdat een tabel die ze filteren er niet in staat',
    },
  ],
];

/** What could not be kept, in sentences. */
export const lostNotes = (counts: LostCounts): Bilingual[] =>
  NOTES.flatMap(([kind, { en, nl }]) => {
    const count = counts[kind];
    return count === 0 ? [] : [{ en: `${en}: ${count}`, nl: `${nl}: ${count}` }];
  });
