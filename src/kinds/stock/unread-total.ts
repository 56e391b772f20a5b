import { type Bilingual, t } from '../../core/language.ts';
import { RequestError } from '../../service/request-error.ts';

/** An answer that tells no total: said of its row, and never taken for nothing. */
export class UnreadTotal {
  readonly message: Bilingual;

  constructor(message: Bilingual) {
    this.message = message;
  }
}

/** What is read; why not, where the answer is not understood. Throws as `read` for anything else. */
export async function orUnread<T>(read: () => Promise<T>): Promise<T | UnreadTotal> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof RequestError && error.kind === 'malformed')) throw error;
    return new UnreadTotal(unreadText(error.reasons));
  }
}

const unreadText = ({ en, nl }: Bilingual): Bilingual =>
  t(
    `the service's answer for the current total is not understood, so no difference is known: ${en}`,
    `het antwoord van het systeem op de vraag naar het totaal is niet te begrijpen, dus er is geen verschil bekend: ${nl}`,
  );
