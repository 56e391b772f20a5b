import type { AnswerRecord } from '../../../schema/answer.ts';
import type { EventResource, TripResource } from '../../../schema/resource.ts';
import type { Bilingual } from '../../../schema/value.ts';
import { type RecordList, uncounted } from './exporter.ts';
import { firstOf } from './left-out.ts';
import { numberIn } from './record-members.ts';

/** Records that came with a list of some days, and are of others: they are left out, and said to be. */
export class OtherDays {
  private readonly resource: EventResource | TripResource;
  private readonly ids = new Set<number>();
  private nameless = 0;

  constructor(resource: EventResource | TripResource) {
    this.resource = resource;
  }

  /** A record that is left out. */
  add(record: AnswerRecord): void {
    const id = numberIn(record, this.resource.id);
    if (id === null) this.nameless++;
    else this.ids.add(id);
  }

  /** A record that turned out to be of these days, as someone moved it meanwhile. */
  remove(record: AnswerRecord): void {
    const id = numberIn(record, this.resource.id);
    if (id !== null) this.ids.delete(id);
  }

  /** How many there were. */
  get count(): number {
    return this.ids.size + this.nameless;
  }

  /** What there is to say of them. */
  notes(): Bilingual[] {
    const { count } = this;
    if (count === 0) return [];
    const { id, name, sheet } = this.resource;
    const named = this.ids.size === 0 ? '' : ` (${id} ${firstOf([...this.ids].map(String))})`;
    return [
      {
        en: `${name} of other days than were asked for, which came with the list and are left out: ${count}${named}`,
        nl: `${sheet.toLowerCase()} van andere dagen dan gevraagd, die meekwamen met de lijst en zijn weggelaten: ${count}${named}`,
      },
    ];
  }
}

/** The records of a period as a list, which says at its end what it left out. */
export function ofPeriod(
  records: AsyncIterable<readonly AnswerRecord[]>,
  otherDays: OtherDays,
  notes: readonly Bilingual[] = [],
): RecordList {
  const said = [...notes];
  async function* read(): AsyncGenerator<readonly AnswerRecord[]> {
    yield* records;
    said.push(...otherDays.notes());
  }
  return uncounted(read, said);
}
