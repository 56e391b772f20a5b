import { eachOf } from '../../core/batches.ts';
import { type Bilingual, composed, t, withFlag } from '../../core/language.ts';
import type { Outcome } from '../../core/plan.ts';
import { shownMinute } from '../../core/shown-moment.ts';
import { type Ledger, type Posting, rowPages, type StoredResult } from '../../ledger/ledger.ts';
import { tellText } from '../../records/sent-before.ts';
import type { RequestError } from '../../service/request-error.ts';

/**
 * A run's rows with what became of them by now. One that was sent, and whose answer is missing as the run was
 * ended or cut off, is `unknown`: it may be on the service.
 */
export const rowsNow = (...of: Parameters<typeof pagesNow>) => eachOf(pagesNow(...of));

/**
 * The same in pages, none empty. `busy`: a program sends it now, and a row that waits for an answer, or for its next
 * request, is no more than not done yet.
 */
export async function* pagesNow(
  ledger: Ledger,
  run: string,
  { sheet, busy = false }: { readonly sheet?: string | undefined; readonly busy?: boolean | undefined } = {},
): AsyncGenerator<StoredResult[], undefined> {
  for await (const rows of rowPages(ledger, run, sheet === undefined ? {} : { sheet }))
    yield rows.map((row) => rowNow(run, row, busy));
}

/** A row of a run with what became of it by now. */
export function rowNow(run: string, row: StoredResult, busy: boolean): StoredResult {
  return busy ? row : { ...row, outcome: outcomeNow(run, row) };
}

function outcomeNow(run: string, { planned, outcome, progress }: StoredResult): Outcome | null {
  if (outcome !== null || progress === null) return outcome;
  const { done, sendingSince } = progress;
  const id = progress.id ?? planned.id;
  const left = { seq: planned.seq, id, issues: [] } as const;
  if (sendingSince !== null) {
    const at = sendingSince.slice(0, SECOND);
    // What became of a posting no look tells.
    const isPost = planned.steps[done]?.purpose === 'post';
    const next = isPost ? tellText(run, planned, null) : lookedForAgainText(run);
    return { ...left, status: 'unknown', at, message: doubtText(at, next) };
  }
  if (done === 0 || planned.steps[0]?.purpose !== 'create') return null;
  return { ...left, status: 'not sent', at: null, message: createdAllTheSameText(id, NOT_YET) };
}

/** The length of a moment to the second. */
const SECOND = 19;

const NOT_YET = t('it was not sent yet', 'dat is nog niet verstuurd');

/** The service answered, and said no. */
export const REFUSED = t('the service answered success: false', 'het systeem antwoordde success: false');

/** The row needs a record that an earlier row should have made. */
export const NO_RECORD = t(
  'the record should have been created by an earlier row of this file, and was not',
  'het record had door een eerdere rij van dit bestand aangemaakt moeten zijn, en dat is niet gebeurd',
);

/** An earlier row about the same record, or about one that this row needs, did not go through. */
export const earlierFailedText = (place: string): Bilingual =>
  t(
    `waits for ${place}, about the same record or one that this row needs, and that did not go through`,
    `wacht op ${place}, over hetzelfde record of een dat deze rij nodig heeft, en dat is niet gelukt`,
  );

/** A create without an id in its answer. */
export const NO_ID = t(
  'the answer names no id of what was created',
  'het antwoord noemt geen id van wat aangemaakt is',
);

/** The record is there, its key is not stored yet. */
export const keyPendingText = (external: number, reason: Bilingual): Bilingual =>
  t(
    `created; ExternalID ${external} could not be stored yet (${reason.en}): apply the run again, or import the file again, to store it`,
    `aangemaakt; ExternalID ${external} kon nog niet worden opgeslagen (${reason.nl}): voer de run nog eens uit, of importeer het bestand opnieuw, om dat te doen`,
  );

/** The create went through, and the update after it did not. */
export const createdAllTheSameText = (id: number | null, why: Bilingual | null): Bilingual => {
  const as = id === null ? t('', '') : t(` as ${id}`, ` als ${id}`);
  const because = why === null ? t('', '') : t(`: ${why.en}`, `: ${why.nl}`);
  return t(
    `created${as.en}, but what an update should add did not go through${because.en}`,
    `aangemaakt${as.nl}, maar wat een wijziging moest toevoegen is niet gelukt${because.nl}`,
  );
};

/** The record is there, and the service refuses its key. */
export const keyRefusedText = (external: number, reason: string): Bilingual =>
  t(
    `created; the service refused ExternalID ${external} (${reason}), this program's ledger remembers it`,
    `aangemaakt; het systeem weigerde ExternalID ${external} (${reason}), het register van dit programma onthoudt het`,
  );

/** Another run sent the same, or is about to. */
export const takenText = ({ run, at, state }: Posting): Bilingual =>
  state === 'done'
    ? t(
        `sent already, in run ${run} on ${shownMinute(at).en}`,
        `al verstuurd, in run ${run} op ${shownMinute(at).nl}`,
      )
    : t(
        `run ${run} sent it on ${shownMinute(at).en} and no answer is known`,
        `run ${run} heeft het op ${shownMinute(at).nl} verstuurd en er is geen antwoord bekend`,
      );

/** An earlier try was cut off, and what came of it can't be told. */
export const doubtText = (since: string, next: Bilingual = LOOK_YOURSELF): Bilingual =>
  composed([next], ({ en, nl }) =>
    t(
      `sent on ${shownMinute(since).en}, and no answer is known; ${en}`,
      `verstuurd op ${shownMinute(since).nl}, en er is geen antwoord bekend; ${nl}`,
    ),
  );

const LOOK_YOURSELF = t(
  'look on the service whether it is there before sending it again',
  'kijk in het systeem of het er staat voor je het opnieuw verstuurt',
);

/** Said of a row in doubt that a look can still settle. */
export const lookedForAgainText = (run: string): Bilingual =>
  withFlag(
    t(
      `going on with run ${run}, or importing the file again, looks whether it is there, and sends it only if it is not`,
      `verdergaan met run ${run}, of het bestand opnieuw importeren, kijkt of het er staat, en verstuurt het alleen als het er niet staat`,
    ),
    `catersheet apply ${run}`,
  );

/** It was sent just now, and nothing came back, or nothing that tells; what came is said. */
export const unansweredText = (
  { status, reasons, words, unclear }: RequestError,
  next: Bilingual = LOOK_YOURSELF,
): Bilingual => {
  const answered = unclear || (status !== null && status >= 200 && status < 400);
  const said = words === null ? '' : ` (${words})`;
  const lost = words === null ? '' : `: ${words}`;
  const [en, nl] = answered
    ? [`and ${reasons.en}${said}`, `en ${reasons.nl}${said}`]
    : [`but no answer came back (${reasons.en}${lost})`, `maar er kwam geen antwoord (${reasons.nl}${lost})`];
  return composed([next], (told) => t(`sent, ${en}; ${told.en}`, `verstuurd, ${nl}; ${told.nl}`));
};

/** The row was not sent, as its record can't be read. */
export const uncheckedText = ({ reasons }: RequestError): Bilingual =>
  t(
    `not sent, as it can't be checked whether the record changed meanwhile (${reasons.en})`,
    `niet verstuurd, want er is niet na te gaan of het record intussen gewijzigd is (${reasons.nl})`,
  );
