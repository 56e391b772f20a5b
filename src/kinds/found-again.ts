import { type Bilingual, t } from '../core/language.ts';

/** That a row's record is found again by these fields, as the guide of a template says it. */
export const foundBy = (en: string, nl = en): Bilingual =>
  t(`Found again by ${en}.`, `Wordt teruggevonden op ${nl}.`);

/** The same for records with an id, and a key of the user's own. */
export const foundByKeys = ({
  id,
  external,
}: {
  readonly id: string;
  readonly external: string;
}): Bilingual => foundBy(`${id}, else ${external}`, `${id}, anders ${external}`);
