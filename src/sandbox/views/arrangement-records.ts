import type { Arrangement } from '../seed/arrangements.ts';
import type { Company } from '../seed/company.ts';
import type { Stored } from '../store.ts';

/** An arrangement as the company sells it: the record of interface 2.8 without an event. */
export function arrangementRecord({ id, name, description, price }: Arrangement): Record<string, unknown> {
  return {
    ArrangementID: id,
    ArrangementNaam: name,
    OfferteOmschrijving: description,
    VerkoopPrijs: price,
    Actief: true,
    PartijID: null,
    Aantal: null,
    Datum: null,
  };
}

/** An arrangement that is linked to an event: the record of interface 2.8. */
export function linkRecord({ values }: Stored, company: Company): Record<string, unknown> {
  const arrangement = company.arrangement(Number(values.ArrangementID));
  const record = arrangement === undefined ? {} : arrangementRecord(arrangement);
  const { DEL, OfferteOmschrijving, ...given } = values;
  const own = OfferteOmschrijving == null ? {} : { OfferteOmschrijving };
  return { ...record, ...given, ...own };
}
