import { integerCodec } from '../core/codecs/integer.ts';
import { type Bilingual, t } from '../core/language.ts';
import { type AnswerRecord, detailAnswer, type OpenAnswer } from '../schema/answer.ts';
import type { Dialect } from '../schema/dialect.ts';
import { pathParameters } from '../schema/endpoint.ts';
import type { NamedRecord } from '../schema/field.ts';
import { nameIn } from '../service/lookups.ts';
import { RequestError } from '../service/request-error.ts';
import type { Service } from '../service/service.ts';

/** What records are asked for with. */
interface Asking {
  readonly service: Service;
  readonly dialect: Dialect;
  readonly concurrency: number;
}

/** What is known of the record that an id names. */
interface IdFact {
  /** Null where the service does not tell. */
  readonly isThere: boolean | null;
  readonly name: string | null;
  readonly record: AnswerRecord | null;
}

/** An id, and what it names. */
export type NamedId = readonly [of: NamedRecord, id: number];

/** Nothing is known. */
const UNTOLD: IdFact = { isThere: null, name: null, record: null };
const MISSING: IdFact = { ...UNTOLD, isThere: false };

const open = detailAnswer();

/** So many records are asked for by their ids for the sake of a name. */
export const MOST_NAMES = 300;

/** The records that ids name, each asked for once in a session: whether they are there, and their names. */
export class NamedRecords {
  /** Why, of which names can't be had. */
  readonly failing = new Map<NamedRecord, Bilingual>();
  /** Those of which one was found. */
  private readonly found = new Set<NamedRecord>();
  private readonly context: Asking;
  private readonly asked = new Map<string, Promise<IdFact>>();
  private readonly facts = new Map<string, IdFact>();
  /** Those that were asked for the sake of a name, and of what there were more. */
  private readonly named = new Set<string>();
  private unnamed: NamedRecord | null = null;

  constructor(context: Asking) {
    this.context = context;
  }

  /** What is known of an id by now. */
  known(of: NamedRecord, id: number): IdFact {
    return this.facts.get(keyOf(of, id)) ?? UNTOLD;
  }

  /** Whether the service has no such record; where it was asked for others and had none at all, that is not told. */
  lacks(of: NamedRecord, id: number): boolean {
    const isTold = of.isSure === true && this.found.has(of) && !this.failing.has(of);
    return isTold && this.known(of, id).isThere === false;
  }

  /** What the service tells of an id; where its endpoint refuses, or can't be understood, nothing. */
  async ask(of: NamedRecord, id: number): Promise<IdFact> {
    const key = keyOf(of, id);
    const told = this.facts.get(key);
    if (told !== undefined) return told;
    const asked = this.asked.get(key) ?? this.read(of, id);
    this.asked.set(key, asked);
    const fact = await asked;
    this.facts.set(key, fact);
    return fact;
  }

  /** Asks for records, so many side by side, but for those that are known. */
  async askAll(ids: readonly NamedId[]): Promise<void> {
    const unknown = ids.filter(([of, id]) => !this.facts.has(keyOf(of, id)));
    const left = new Map(unknown.map((one) => [keyOf(...one), one])).values();
    const work = async (): Promise<void> => {
      for (const [of, id] of left) await this.ask(of, id);
    };
    await Promise.all(Array.from({ length: Math.min(unknown.length, this.context.concurrency) }, work));
  }

  /** The same for the sake of names: for no more than `MOST_NAMES`. */
  async askNames(ids: readonly NamedId[]): Promise<void> {
    const wanted = ids.filter(([of, id]) => {
      const key = keyOf(of, id);
      if (this.facts.has(key) || this.named.has(key)) return true;
      if (this.named.size >= MOST_NAMES) this.unnamed = of;
      else this.named.add(key);
      return this.named.has(key);
    });
    await this.askAll(wanted);
  }

  /** Takes the name of a record that was read for another reason. */
  saw(of: NamedRecord, id: number, record: AnswerRecord): void {
    const name = nameIn(record, of, this.context.dialect);
    if (name !== null) this.facts.set(keyOf(of, id), { isThere: true, name, record });
  }

  /** Which records could not be asked for, and why. */
  notes(): Bilingual[] {
    const failing = [...this.failing].map(([{ called, isSure }, { en, nl }]) =>
      isSure === true
        ? t(
            `${called.en} could not be looked up: ${en}; their ids are not checked`,
            `${called.nl} konden niet worden opgezocht: ${nl}; hun id’s zijn niet nagekeken`,
          )
        : t(`names of ${called.en}: ${en}`, `namen van ${called.nl}: ${nl}`),
    );
    if (this.unnamed === null) return failing;
    const { en, nl } = this.unnamed.called;
    const left = t(
      `names of ${en}: only the first ${MOST_NAMES} are asked for`,
      `namen van ${nl}: alleen de eerste ${MOST_NAMES} worden opgevraagd`,
    );
    return [...failing, left];
  }

  private async read(of: NamedRecord, id: number): Promise<IdFact> {
    if (this.failing.has(of)) return UNTOLD;
    const [parameter = 'id'] = pathParameters(of.each);
    try {
      const answer = await this.context.service.send(of.each, { params: { [parameter]: id } });
      const content = of.each.returns === 'any' ? (answer as OpenAnswer).content : answer;
      const read = open.safeParse(content);
      if (read.success) return read.data === null ? MISSING : this.factOf(of, id, read.data);
      this.failing.set(of, UNREADABLE);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.kind === 'missing') return MISSING;
      this.failing.set(of, error.reasons);
    }
    return UNTOLD;
  }

  private factOf(of: NamedRecord, id: number, record: AnswerRecord): IdFact {
    const wanted = of.id.toLowerCase();
    const member = Object.keys(record).find((name) => name.toLowerCase() === wanted) ?? 'id';
    const own = integerCodec.read(record[member]);
    const name = own === null || own === id ? nameIn(record, of, this.context.dialect) : null;
    if (own === id) {
      this.found.add(of);
      return { isThere: true, name, record };
    }
    if (name === null && of.isSure === true) this.failing.set(of, UNREADABLE);
    return { ...UNTOLD, name };
  }
}

const keyOf = ({ name }: NamedRecord, id: number): string => `${name} ${id}`;

const UNREADABLE = t(
  'what came is not the record that was asked for',
  'wat er kwam is niet het record waar om gevraagd was',
);
