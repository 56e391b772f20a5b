import { type Bilingual, t } from '../core/language.ts';
import type { Context } from '../run/context.ts';
import type { Resource } from '../schema/resource.ts';
import { type ExistingRecord, isOff } from './existing-record.ts';
import type { ContextOf } from './planning.ts';
import type { SentStep } from './row-guard.ts';

/** So many records of this run are held against lists. */
const WITNESSES = 20;

const ofSession = new WeakMap<object, Map<string, ListGaps>>();

/** What a session knows of the records that a resource's lists leave out. */
export function listGaps(context: ContextOf<Resource>): ListGaps {
  const { service, resource } = context;
  const all = ofSession.get(service) ?? new Map<string, ListGaps>();
  ofSession.set(service, all);
  const known = all.get(resource.name) ?? new ListGaps(context);
  all.set(resource.name, known);
  return known;
}

/** The resources whose lists were found to leave records out, each said once. */
export const listGapNotes = ({ service }: Context): Bilingual[] =>
  [...(ofSession.get(service)?.values() ?? [])].flatMap((gaps) => gaps.notes());

/**
 * Whether lists of a resource leave records out, by what was seen: a record that is there and that a list
 * lacked. The ledger keeps which one, until a list shows it: it may have come late only.
 */
export class ListGaps {
  readonly #context: ContextOf<Resource>;
  readonly #facts: Readonly<Record<'missed' | 'shows' | 'longest', string>>;
  #size: Promise<number> | undefined;
  #missed: Promise<string | null> | undefined;
  #showsOff: Promise<boolean> | undefined;
  #untold: string | null = null;
  #told = false;
  #unlisted: Pick<SentStep, 'body'> | undefined;
  readonly #notes: Bilingual[] = [];
  /** The ExternalIDs that this session looked for beside a list that leaves records out. */
  readonly lookedFor = new Set<number>();
  readonly #doubted = new Map<number, Bilingual>();
  #made: (Pick<SentStep, 'id' | 'body'> & { readonly at: number })[] = [];

  constructor(context: ContextOf<Resource>) {
    this.#context = context;
    const { name } = context.resource;
    this.#facts = {
      missed: `left out of lists of ${name}`,
      shows: `lists of ${name} show what is off`,
      longest: `longest list of ${name}`,
    };
  }

  /** A record that is there, and that no list shows; null where none is known of. */
  known(): Promise<string | null> {
    const { ledger, serviceKey } = this.#context;
    this.#missed ??= ledger.findFact(serviceKey, this.#facts.missed).then((name) => name || null);
    return this.#missed;
  }

  /** Takes a record that is there, and that a list lacked though it should hold it. */
  async missed(name: number | string): Promise<void> {
    if ((await this.known()) !== null) return;
    const { ledger, serviceKey, log, resource } = this.#context;
    log.warn({ resource: resource.name, record: name }, 'a list leaves records out');
    this.#missed = Promise.resolve(`${name}`);
    this.#untold = `${name}`;
    await ledger.rememberFact(serviceKey, this.#facts.missed, `${name}`);
  }

  /** Whether lists may leave out a record with an ExternalID that was not looked for beside them yet. */
  async mayLeaveOut(external: number): Promise<boolean> {
    return !this.lookedFor.has(external) && (await this.known()) !== null;
  }

  /** Takes what this run wrote: a list has to show it. */
  wrote({ step: { purpose }, id, body }: SentStep): void {
    const { keys } = this.#context.resource;
    if (purpose === 'create') this.#made.push({ id, body, at: this.#context.time.steady() });
    // What it took away again no list has to show.
    if (purpose === 'delete')
      this.#made = this.#made.filter((one) => keys.some((key) => one.body[key] !== body[key]));
    if (this.#made.length > WITNESSES) this.#made.shift();
  }

  /** One that this run created and that a list lacked, be it that it comes late; undefined where none did. */
  get unlisted(): Pick<SentStep, 'body'> | undefined {
    return this.#made.find((one) => one === this.#unlisted);
  }

  /** Takes what a list lacks of what this run created. */
  lacked(isLacking: (body: SentStep['body']) => boolean): void {
    this.#unlisted = this.#made.findLast(({ body }) => isLacking(body)) ?? this.#unlisted;
  }

  /** What this run created last, as far as no list should be late with it any more. */
  get made(): readonly Pick<SentStep, 'id' | 'body'>[] {
    const now = this.#context.time.steady();
    const late = (this.#context.doubts.fromNow() - now) / 2;
    return this.#made.filter(({ at }) => now - at >= late);
  }

  /** Takes a list that came, which tells whether it shows a record: one that was missed came late only. */
  async listed(isThere: (name: string) => boolean): Promise<void> {
    const missed = await this.known();
    if (missed === null || !isThere(missed)) return;
    const { ledger, serviceKey } = this.#context;
    this.#missed = Promise.resolve(null);
    this.#untold = null;
    await ledger.rememberFact(serviceKey, this.#facts.missed, '');
  }

  /** Takes what a list showed. */
  async saw(records: readonly ExistingRecord[]): Promise<void> {
    const { ledger, serviceKey, resource } = this.#context;
    await this.listed((missed) => records.some(({ id }) => `${id}` === missed));
    if (!(await this.shows()) && records.some((record) => isOff(resource, record))) {
      this.#showsOff = Promise.resolve(true);
      await ledger.rememberFact(serviceKey, this.#facts.shows, 'yes');
    }
  }

  /** Takes how long a list was: none that is shorter was cut off. */
  async tookSize(size: number): Promise<void> {
    const { ledger, serviceKey } = this.#context;
    if (size <= (await this.longest())) return;
    this.#size = Promise.resolve(size);
    await ledger.rememberFact(serviceKey, this.#facts.longest, `${size}`);
  }

  /** Whether a list of that length may end before its last record: the service never gave a longer one. */
  mayBeCut = async (size: number): Promise<boolean> => size > 0 && size >= (await this.longest());

  /** How long the longest list was. */
  longest(): Promise<number> {
    const { ledger, serviceKey } = this.#context;
    this.#size ??= ledger.findFact(serviceKey, this.#facts.longest).then((size) => Number(size ?? 0));
    return this.#size;
  }

  /** Whether a list has shown a record that is not in use. */
  shows(): Promise<boolean> {
    const { ledger, serviceKey } = this.#context;
    this.#showsOff ??= ledger.findFact(serviceKey, this.#facts.shows).then((fact) => fact === 'yes');
    return this.#showsOff;
  }

  /** Whether a list that lacks such a record proves that it is not there; if not, row `seq` is told why. */
  async proves(seq: number, record: Pick<ExistingRecord, 'values'>): Promise<boolean> {
    const missed = await this.known();
    if (missed === null && (!isOff(this.#context.resource, record) || (await this.shows()))) return true;
    if (missed !== null) this.#untold ??= missed;
    this.#doubted.set(seq, missed === null ? OFF : leftOutText(this.#context.resource, missed));
    return false;
  }

  /** Why it can't be told whether a row's record is there; null where lists are not what it is about. */
  words = async ({ planned: { seq } }: { readonly planned: { readonly seq: number } }) =>
    this.#doubted.get(seq) ?? null;

  /** Takes what else is to be told of lists. */
  note(text: Bilingual): void {
    this.#notes.push(text);
  }

  /** What is to be told of lists, said once. */
  notes(): Bilingual[] {
    const notes = this.#notes.splice(0);
    if (this.#untold === null || this.#told) return notes;
    this.#told = true;
    const { sheet } = this.#context.resource;
    const { en, nl } = leftOutText(this.#context.resource, this.#untold);
    const leftOut = t(
      `${sheet}: ${en}. What a list lacks is asked for by itself where the service can; a create whose answer is lost and that is not found stays unknown.`,
      `${sheet}: ${nl}. Wat in een lijst ontbreekt, wordt apart opgevraagd waar het systeem dat kan; een record waarvan het antwoord op het aanmaken verloren ging en dat niet gevonden wordt, blijft onbekend.`,
    );
    return [...notes, leftOut];
  }
}

const OFF = t(
  'the lists of the service may leave out records that are not in use, so it may be there without being listed; look for it there',
  'de lijsten van het systeem laten records die niet in gebruik zijn misschien weg, dus het kan er zijn zonder in een lijst te staan; kijk of het er staat',
);

const leftOutText = ({ keys: [id = ''] }: Resource, name: string): Bilingual =>
  t(
    `the lists of the service leave records out (${id} ${name} is there and was not listed)`,
    `de lijsten van het systeem laten records weg (${id} ${name} is er en stond niet in de lijst)`,
  );
