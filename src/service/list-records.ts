import { integerCodec } from '../core/codecs/integer.ts';
import { type Bilingual, t } from '../core/language.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import type { Endpoint } from '../schema/endpoint.ts';
import type { RecordPage } from '../schema/page.ts';
import { type FirstPage, firstPage, WIDTH } from './pages.ts';
import { RequestError } from './request-error.ts';
import type { SendInput, Service } from './service.ts';

interface ListInput<B> extends SendInput<B> {
  /** The id member, which shows a record that came on two pages; absent where records may be equal. */
  readonly id?: string;
}

/** Most times that a list is read which changes meanwhile. */
const MOST_READINGS = 3;

/**
 * All records of a list that mostly comes at once. One in pages is read to its last, and again where it
 * changed meanwhile.
 * @throws as `Service.follow`; RequestError: missing where the record whose list it is doesn't exist,
 * malformed for a list that stays shorter than it says, as its other records would look new or deleted.
 */
export async function listRecords<B>(
  service: Service,
  endpoint: Endpoint<B, RecordPage>,
  input: ListInput<B>,
): Promise<AnswerRecord[]> {
  let last = -1;
  for (let reading = 1; ; reading++) {
    const { id, body, ...options } = input;
    const first = await firstPage(service, endpoint as Endpoint<unknown, RecordPage>, body, options);
    if (first.page.missing) throw failure(endpoint.name, 'missing', NO_RECORD);
    const { records, different, wrong } = await readAll(endpoint.name, first, id);
    const { length } = records;
    if (wrong === null && (different === length || different === last)) return records;
    if (reading === MOST_READINGS) throw failure(endpoint.name, 'malformed', wrong ?? MOVING);
    last = different;
  }
}

interface WholeReading {
  readonly records: AnswerRecord[];
  /** How many of them did not come before on another page. */
  readonly different: number;
  /** Why they can't be the whole list; null where nothing says so. */
  readonly wrong: Bilingual | null;
}

async function readAll(endpoint: string, first: FirstPage, id: string | undefined): Promise<WholeReading> {
  const run = first.all(WIDTH);
  const records: AnswerRecord[] = [];
  const before = new Set<unknown>();
  let different = 0;
  for await (const page of run) {
    // The first page was a list, so it breaks off here.
    if (page.missing) throw failure(endpoint, 'malformed', NO_RECORD);
    const { data } = page;
    const ids = id === undefined ? [] : data.map((record) => integerCodec.read(record[id]));
    const known = ids.filter((one) => typeof one === 'number' && before.has(one));
    different += data.length - known.length;
    for (const one of ids) before.add(one);
    for (const record of data) records.push(record);
  }
  const { complete, total } = run.tally;
  const wrong = run.tally.shortage(different) ?? (complete ? null : otherCount(records.length, total));
  return { records, different, wrong };
}

const NO_RECORD: Bilingual = t('success false in place of a list', 'success false in plaats van een lijst');
const MOVING: Bilingual = t(
  `it changed each of the ${MOST_READINGS} times it was read`,
  `hij veranderde alle ${MOST_READINGS} keren dat hij gelezen werd`,
);
const otherCount = (came: number, total: number | null): Bilingual =>
  t(
    `${came} records came, where the list says it has ${total ?? 'another number'}`,
    `er kwamen ${came} records, terwijl de lijst er volgens zichzelf ${total ?? 'een ander aantal'} heeft`,
  );

function failure(endpoint: string, kind: 'missing' | 'malformed', reason: Bilingual): RequestError {
  return new RequestError({ kind, endpoint, reason, status: 200 });
}
