import { type Bilingual, t } from '../../core/language.ts';
import type { Posting } from '../../ledger/ledger.ts';

/** It took place before, so it does not again. */
export const postedText = ({ run, at }: Posting): Bilingual =>
  t(
    `posted before, in run ${run} at ${at}; give the row a #key of its own to post it once more`,
    `al eerder geboekt, in run ${run} om ${at}; geef de rij een eigen #key om het nog eens te boeken`,
  );

/** The user's own name for a posting names another one now. */
export const otherContentText = ({ run, at }: Posting, key: string): Bilingual =>
  t(
    `#key ${key} was posted in run ${run} at ${at} with other values; what was posted can't be changed, post the difference under a #key of its own`,
    `#key ${key} is in run ${run} om ${at} geboekt met andere waarden; wat geboekt is kan niet veranderen, boek het verschil onder een eigen #key`,
  );

/** A mutation that takes a row back took place before: it does so once. */
export const takenBackText = ({ run, at }: Posting): Bilingual =>
  t(`already taken back in run ${run} at ${at}`, `al teruggedraaid in run ${run} om ${at}`);

/** It was taken back, and that was taken back: the row stands again. */
export const backAgainText = ({ run }: Posting, last: string): Bilingual =>
  t(
    `taken back in run ${run}, and that was undone in run ${last}: catersheet undo ${last} takes it back again`,
    `teruggedraaid in run ${run}, en dat is ongedaan gemaakt in run ${last}: catersheet undo ${last} draait het weer terug`,
  );

/** It was taken back by other amounts than the row says. */
export const takenBackOtherwiseText = ({ run, at }: Posting): Bilingual =>
  t(
    `already taken back in run ${run} at ${at}, by another amount than stands here; book the difference as an ordinary mutation if it is meant`,
    `al teruggedraaid in run ${run} om ${at}, met een ander aantal dan hier staat; boek het verschil als gewone mutatie als dat de bedoeling is`,
  );

/** It may have taken place, so it is not sent; `where`: its row in that run, `Sheet!12`. */
export const doubtfulText = ({ run, at }: Posting, where: string, totals: Bilingual | null): Bilingual =>
  t(
    `run ${run} sent it at ${at} and no answer is known, so it is not sent again by itself${tail(totals?.en)}. Is it not there: catersheet apply ${run} --resend "${where}"; is it there: --done "${where}"`,
    `run ${run} heeft het om ${at} verstuurd en er is geen antwoord bekend, dus het wordt niet vanzelf opnieuw verstuurd${tail(totals?.nl)}. Staat het er niet: catersheet apply ${run} --resend "${where}"; staat het er wel: --done "${where}"`,
  );

const tail = (words: string | undefined): string => (words === undefined ? '' : ` (${words})`);
