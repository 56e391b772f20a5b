import { type Issue, issueAt } from '../../schema/issue.ts';
import type { Outcome, PlannedRow, Status } from '../../schema/plan.ts';
import type { Bilingual } from '../../schema/value.ts';
import type { RequestError } from '../../service/request-error.ts';

/** What a failed request means for its row. */
export interface RowFailure {
  readonly status: Extract<Status, 'failed' | 'unknown'>;
  readonly message: Bilingual;
  readonly issues: Issue[];
}

/** Where a field of a row stands in the user's file; null when it has no column. */
export type AddressOf = (planned: PlannedRow, field: string) => string | null;

/** Puts the service's refusal on the row, and its words about fields on their columns. */
export function failureOf(planned: PlannedRow, error: RequestError, addressOf: AddressOf): RowFailure {
  const issues = Object.entries(error.fields).map(([field, words]) =>
    issueAt(
      { code: 'service-refused', found: '', hint: words.join(' ') },
      { field, address: addressOf(planned, field) },
    ),
  );
  const { words, reasons } = error;
  if (error.mayHaveTakenEffect) return { status: 'unknown', issues, message: doubtText(error) };
  return { status: 'failed', issues, message: { en: words ?? reasons.en, nl: words ?? reasons.nl } };
}

/** Nothing came back, or nothing that tells; what came is said. */
function doubtText({ status, reasons, words }: RequestError): Bilingual {
  const answered = status !== null && status >= 200 && status < 400;
  const said = words === null ? '' : ` (${words})`;
  const lost = words === null ? '' : `: ${words}`;
  const [en, nl] = answered
    ? [`and ${reasons.en}${said}`, `en ${reasons.nl}${said}`]
    : [`but no answer came back (${reasons.en}${lost})`, `maar er kwam geen antwoord (${reasons.nl}${lost})`];
  return {
    en: `sent, ${en}; look on the service whether it is there before sending it again`,
    nl: `verstuurd, ${nl}; kijk op de dienst of het er staat voor je het opnieuw verstuurt`,
  };
}

/** The row was not sent, as it could not be found out whether its record changed. */
export function cannotCheck(
  planned: PlannedRow,
  error: RequestError,
): Pick<Outcome, 'status' | 'id' | 'message' | 'issues'> {
  return {
    status: 'failed',
    id: planned.id,
    issues: [],
    message: {
      en: `not sent, as it can't be checked whether the record changed meanwhile (${error.reasons.en})`,
      nl: `niet verstuurd, want er is niet na te gaan of het record intussen gewijzigd is (${error.reasons.nl})`,
    },
  };
}
