import { cellAddress } from '../core/cell.ts';
import { cellText } from '../core/codec.ts';
import { integerCodec } from '../core/codecs/integer.ts';
import { type Issue, issueAt, shorten } from '../core/issue.ts';
import { type Bilingual, t } from '../core/language.ts';
import { shareWord } from '../core/share-word.ts';
import type { Value, Values } from '../core/value.ts';
import type { Context } from '../run/context.ts';
import { type AnswerRecord, detailAnswer, membersRecord, type OpenAnswer } from '../schema/answer.ts';
import { pathParameters } from '../schema/endpoint.ts';
import type { Fields, NamedRecord } from '../schema/field.ts';
import { idNamedBy, type Resource, recordBehind } from '../schema/resource.ts';
import { nameIn } from '../service/lookups.ts';
import { RequestError } from '../service/request-error.ts';
import { type ExistingRecord, numberIn } from './existing-record.ts';
import { sideBySide } from './listing.ts';
import { addressOf, issueOn, type MappedRow, type SheetColumns } from './mapped-row.ts';
import type { UnplacedRow } from './planning.ts';

/** What is known of the record that an id names. */
interface IdFact {
  /** Null where the service does not tell. */
  readonly isThere: boolean | null;
  readonly name: string | null;
  readonly record: AnswerRecord | null;
}

/** Nothing is known. */
const UNTOLD: IdFact = { isThere: null, name: null, record: null };
const MISSING: IdFact = { ...UNTOLD, isThere: false };

const open = detailAnswer(membersRecord({}));

/** So many records are asked for by their ids for the sake of a name. */
export const MOST_NAMES = 300;

/** Fields whose ids name a record. */
const recordsOf = (fields: Fields): [field: string, of: NamedRecord, within: string | undefined][] =>
  Object.entries(fields).flatMap(([field, { record, within }]) =>
    record === undefined ? [] : [[field, record, within]],
  );

/** The value of an id; null for none, and for 0, which stands for none. */
const idIn = (value: unknown): number | null => (typeof value === 'number' && value !== 0 ? value : null);

/** The ids of a window of rows, as their checks need them. */
interface IdsOfRows<R extends Resource> {
  readonly rows: readonly MappedRow<R>[];
  /** The record of each row. */
  readonly existing: readonly (ExistingRecord | null)[];
  /** A record of the service's own, whose ids are there. */
  readonly sample: ExistingRecord | undefined;
  isUntouched(row: MappedRow<R>, field: string, existing: ExistingRecord | null): boolean;
}

/** A row with its record; `ids`: those that it names by other keys. */
interface RowWithIds {
  readonly row: MappedRow;
  readonly existing: ExistingRecord | null;
  readonly ids?: Values | undefined;
}

/** The records that ids name, each asked for once: whether they are there, their names, whose they are. */
export class IdRecords {
  /** Why, of which names can't be had. */
  readonly failing = new Map<NamedRecord, Bilingual>();
  private readonly context: Pick<Context, 'service' | 'dialect' | 'concurrency'>;
  private readonly asked = new Map<string, Promise<IdFact>>();
  private readonly known = new Map<string, IdFact>();
  /** Of which the read gave a record. */
  private readonly answering = new Set<NamedRecord>();
  /** The ids that were asked for what rows are about, and of what there were more. */
  private readonly labels = new Set<number>();
  private readonly said = new Set<string>();
  private unlabelled: NamedRecord | null = null;

  constructor(context: IdRecords['context']) {
    this.context = context;
  }

  /** What the service tells of an id; where its endpoint refuses, or can't be understood, nothing. */
  async ask(of: NamedRecord, id: number): Promise<IdFact> {
    const key = `${of.name} ${id}`;
    const told = this.known.get(key);
    if (told !== undefined) return told;
    const asked = this.asked.get(key) ?? this.read(of, id);
    this.asked.set(key, asked);
    const fact = await asked;
    this.known.set(key, fact);
    return fact;
  }

  /** Takes the name of a record that was read for another reason. */
  saw(of: NamedRecord, id: number, record: AnswerRecord): void {
    const name = nameIn(record, of, this.context.dialect);
    if (name !== null) this.known.set(`${of.name} ${id}`, { isThere: true, name, record });
  }

  /** Asks for the records of ids that rows would send or change, side by side. */
  async readAhead<R extends Resource>({ rows, existing, sample, isUntouched }: IdsOfRows<R>): Promise<void> {
    const [first] = rows;
    if (first === undefined) return;
    const { fields } = first.mapping.resource;
    // What one row changes of a record counts for the others on it.
    const changed = new Set<string>();
    const nameOf = (at: number, field: string) => `${existing[at]?.id ?? `row ${at}`} ${field}`;
    for (const [at, row] of rows.entries()) {
      const held = existing[at] ?? null;
      for (const [field] of recordsOf(fields))
        if (changes(row, held, field) && !isUntouched(row, field, held)) changed.add(nameOf(at, field));
    }
    if (changed.size === 0) return;
    const wanted: (readonly [NamedRecord, number])[] = [];
    for (const [at, row] of rows.entries())
      for (const [field, of, within = field] of recordsOf(fields)) {
        if (![field, within].some((one) => changed.has(nameOf(at, one)))) continue;
        const id = of.isSure === true ? idIn(effective(row, existing[at] ?? null, field)) : null;
        if (id !== null) wanted.push([of, id]);
      }
    await this.askAll(wanted);
    for (const of of new Set(wanted.map(([one]) => one))) await this.doubtNone(of, sample, fields);
  }

  /** Puts issues on ids without a record, and on contacts of others; `existing`: what the row changes. */
  check(row: MappedRow, existing: ExistingRecord | null, strict: boolean): void {
    const { fields } = row.mapping.resource;
    for (const [field, of, within] of recordsOf(fields)) {
      const id = idIn(effective(row, existing, field));
      const fact = id === null ? undefined : this.known.get(`${of.name} ${id}`);
      if (id === null || fact === undefined) continue;
      const isNew = changes(row, existing, field);
      if (isNew && fact.isThere === false && this.failing.get(of) === undefined)
        row.issues.push(
          issueOn(row, field, { code: 'id-without-record', found: String(id), hint: of.called }),
        );
      const issue =
        within === undefined ? null : this.apart(row, existing, { field, within, id, isNew, strict });
      if (issue !== null) row.issues.push(issue);
    }
  }

  /**
   * Warns of names in rows, such as a customer's, that have no word in common with that of their id's record.
   * Asks for as many as an export does.
   */
  async holdSaid(rows: readonly RowWithIds[], strict: boolean): Promise<void> {
    const said = rows.flatMap(({ row, existing, ids }) =>
      (row.action === 'skip' ? [] : (row.told ?? [])).flatMap(({ header, cell }) => {
        const { fields } = row.mapping.resource;
        const field = idNamedBy(row.mapping.resource, header);
        const of = field === undefined ? undefined : recordBehind(fields[field]);
        // The name that a record holds itself is held against that.
        if (field === undefined || of === undefined || (header in fields && existing !== null)) return [];
        const id = idIn(ids?.[field] ?? effective(row, existing, field));
        return id === null ? [] : [{ row, header, cell, field, of, id }];
      }),
    );
    for (const { of, id } of said)
      if (this.said.size < MOST_NAMES) this.said.add(`${of.name} ${id}`);
      else if (!this.said.has(`${of.name} ${id}`)) this.unlabelled = of;
    await this.askAll(said.flatMap(({ of, id }) => (this.said.has(`${of.name} ${id}`) ? [[of, id]] : [])));
    for (const { row, header, cell, field, of, id } of said) {
      const name = this.known.get(`${of.name} ${id}`)?.name ?? null;
      const found = cellText(cell).trim();
      if (name === null || shareWord(found, name)) continue;
      const hint = t(
        `${field} ${id} is "${shorten(name)}": correct one of the two`,
        `${field} ${id} is "${shorten(name)}": verbeter een van de twee`,
      );
      const place = { field: header, address: cellAddress(cell.column, row.row) };
      row.issues.push(issueAt({ code: 'record-of-another', found, hint }, place, strict));
    }
  }

  /** The issue that a record belongs to another than the row's; null where it does, or does not tell. */
  private apart(
    row: MappedRow,
    existing: ExistingRecord | null,
    of: { field: string; within: string; id: number; isNew: boolean; strict: boolean },
  ): Issue | null {
    const { field, within, id, isNew, strict } = of;
    const { fields } = row.mapping.resource;
    const [own, whole] = [fields[field]?.record, fields[within]?.record];
    const owner = idIn(effective(row, existing, within));
    if (owner === null || own === undefined || whole === undefined) return null;
    if (!isNew && !changes(row, existing, within)) return null;
    const { record, name } = this.known.get(`${own.name} ${id}`) ?? UNTOLD;
    const told = record === null ? null : idIn(numberIn(record, whole.id));
    if (told === null || told === owner || this.known.get(`${whole.name} ${owner}`)?.isThere === false)
      return null;
    const called = (source: NamedRecord, one: number): string =>
      [one, this.known.get(`${source.name} ${one}`)?.name].filter((part) => part != null).join(' ');
    const is = `${whole.id} ${called(whole, told)}`;
    const wants = `${within} ${called(whole, owner)}`;
    const named = [id, name].filter((part) => part !== null).join(' ');
    // The interface does not say that it must: some events are in the hands of another relation's contact.
    const hint = isNew
      ? t(`${named} is of ${is}, not of ${wants}`, `${named} is van ${is}, niet van ${wants}`)
      : t(`${field} stays ${named}, of ${is}`, `${field} blijft ${named}, van ${is}`);
    const finding = { code: 'record-of-another', found: String(isNew ? id : owner), hint } as const;
    return issueOn(row, isNew ? field : within, finding, strict);
  }

  /** Puts the names of ids that rows send or change beside them; asks for those that are not known yet. */
  async name(rows: readonly UnplacedRow[], mapping: SheetColumns, strict: boolean): Promise<void> {
    const named = recordsOf(mapping.resource.fields);
    if (named.length === 0) return;
    const sent = rows.map((row) => (row.steps.length === 0 ? [] : idsSent(row, named)));
    await this.askAll(sent.flat().map(([, of, id]) => [of, id] as const));
    for (const [at, row] of rows.entries()) {
      const names = (sent[at] ?? []).flatMap(([field, of, id]) => {
        const name = this.known.get(`${of.name} ${id}`)?.name ?? null;
        return name === null ? [] : [[field, id, shorten(name)] as const];
      });
      // In place, as the row is the planner's own and not saved yet.
      if (names.length > 0) Object.assign(row, { names });
      for (const [field, of, id] of sent[at] ?? []) {
        if (of.isSure === true || this.known.get(`${of.name} ${id}`)?.isThere !== false) continue;
        if (!(await this.knowsOthers(of))) continue;
        const finding = { code: 'id-without-record', found: String(id), hint: of.called } as const;
        const place = { field, address: addressOf(mapping, field, row.row) };
        // The interface does not tie the endpoint to the id: it may be another's that is there all the same.
        const severity = strict ? 'error' : 'warning';
        Object.assign(row, { issues: [...row.issues, { ...issueAt(finding, place), severity }] });
        if (strict) Object.assign(row, { action: 'invalid', steps: [] });
      }
    }
  }

  /**
   * Puts the names of what rows are about beside those that send something or went wrong, where the rows do
   * not say them; asks for as many as an export does.
   */
  async label(rows: readonly UnplacedRow[], { resource: { labelled } }: SheetColumns): Promise<void> {
    if (labelled === undefined) return;
    const [field, of] = labelled;
    const told = rows.flatMap((row) => {
      if (row.action === 'unchanged' || row.action === 'skip') return [];
      const id = idIn(row.steps[0]?.body[field] ?? row.about?.key?.[field]);
      return id === null ? [] : [{ row, id }];
    });
    const nameless = told.filter(({ row }) => row.about?.label === undefined);
    for (const { id } of nameless)
      if (this.labels.size < MOST_NAMES) this.labels.add(id);
      else if (!this.labels.has(id)) this.unlabelled = of;
    const asked = nameless.filter(({ id }) => this.labels.has(id));
    await this.askAll(asked.map(({ id }) => [of, id] as const));
    for (const { row, id } of told) {
      const label = row.about?.label ?? this.known.get(`${of.name} ${id}`)?.name ?? undefined;
      if (label === undefined) continue;
      // In place, as above.
      Object.assign(row, { about: { ...row.about, label } });
      const isNamed = row.names?.some(([name, value]) => name === field && value === id);
      if (row.steps.length > 0 && isNamed !== true)
        Object.assign(row, { names: [...(row.names ?? []), [field, id, shorten(label)]] });
    }
  }

  /**
   * Holds the names that rows of stock say against those of the products that they are posted on: a row on
   * another product is a conflict. Asks for as many as an export does.
   */
  async holdNames(rows: readonly UnplacedRow[], { resource }: SheetColumns): Promise<void> {
    const { labelled, label, names } = resource;
    if (labelled === undefined || label !== undefined || names === undefined) return;
    const [field, of] = labelled;
    const named = rows.flatMap((row) => {
      const id = idIn(row.steps[0]?.body[field] ?? (row.posted && row.about?.key?.[field]));
      return id === null || row.about?.label === undefined ? [] : [{ row, id, said: row.about.label }];
    });
    for (const { id } of named)
      if (this.labels.size < MOST_NAMES) this.labels.add(id);
      else if (!this.labels.has(id)) this.unlabelled = of;
    await this.askAll(named.flatMap(({ id }) => (this.labels.has(id) ? [[of, id] as const] : [])));
    for (const { row, id, said } of named) {
      const name = this.known.get(`${of.name} ${id}`)?.name ?? null;
      if (name === null || shareWord(said, name)) continue;
      const message = otherNameText(`${field} ${id}`, shorten(said), shorten(name));
      // In place, as above.
      Object.assign(row, {
        action: 'conflict',
        changes: [],
        steps: [],
        needs: [],
        posted: undefined,
        message,
      });
    }
  }

  /** Whether its read knows an id: one that came by it, else one that the service's own records name. */
  private async knowsOthers(of: NamedRecord): Promise<boolean> {
    if (this.answering.has(of)) return true;
    const key = [...this.known].find(([name, { isThere }]) => name.startsWith(`${of.name} `) && isThere)?.[0];
    if (key !== undefined) await this.read(of, Number(key.slice(of.name.length)));
    return this.answering.has(of);
  }

  /** Which records could not be asked for, and why. */
  notes(): Bilingual[] {
    const { called: more } = this.unlabelled ?? {};
    const left = more && [
      t(
        `names of ${more.en}: only the first ${MOST_NAMES} are asked for`,
        `namen van ${more.nl}: alleen de eerste ${MOST_NAMES} worden opgevraagd`,
      ),
    ];
    const failing = [...this.failing].map(([{ called, isSure }, { en, nl }]) =>
      isSure === true
        ? t(
            `${called.en} could not be looked up: ${en}; their ids are not checked`,
            `${called.nl} konden niet worden opgezocht: ${nl}; hun id’s zijn niet nagekeken`,
          )
        : t(`names of ${called.en}: ${en}`, `namen van ${called.nl}: ${nl}`),
    );
    return [...failing, ...(left ?? [])];
  }

  /** Asks for records, side by side, but for those that are known. */
  async askAll(ids: readonly (readonly [NamedRecord, number])[]): Promise<void> {
    const left = new Map<string, readonly [NamedRecord, number]>();
    for (const one of ids) {
      const key = `${one[0].name} ${one[1]}`;
      if (!this.known.has(key)) left.set(key, one);
    }
    if (left.size === 0) return;
    for await (const _ of sideBySide(left.values(), this.context.concurrency, ([of, id]) =>
      this.ask(of, id),
    ));
  }

  /** Where not one record was found, one that the service itself names tells whether any would be. */
  private async doubtNone(
    of: NamedRecord,
    sample: ExistingRecord | undefined,
    fields: Fields,
  ): Promise<void> {
    const facts = [...this.known].filter(([key]) => key.startsWith(`${of.name} `));
    if (!facts.some(([, fact]) => fact.isThere === false) || facts.some(([, fact]) => fact.isThere === true))
      return;
    const own = recordsOf(fields).flatMap(([field, one]) =>
      one === of ? (idIn(sample?.values[field]) ?? []) : [],
    );
    const [id] = own;
    if (id !== undefined && (await this.ask(of, id)).isThere === false) this.failing.set(of, NOT_EVEN);
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
    if (own !== id && name === null && of.isSure === true) this.failing.set(of, UNREADABLE);
    if (own === id) this.answering.add(of);
    return { isThere: own === id ? true : null, name, record: own === id ? record : null };
  }
}

const otherNameText = (key: string, said: string, name: string): Bilingual =>
  t(
    `the row says "${said}", and ${key} is "${name}": correct one of the two, or empty the name`,
    `in de rij staat "${said}", en ${key} is "${name}": verbeter een van de twee, of maak de naam leeg`,
  );

const UNREADABLE = t(
  'what came is not the record that was asked for',
  'wat er kwam is niet het record waar om gevraagd was',
);
const NOT_EVEN = t(
  'the service does not even have those that its own records name',
  'het systeem heeft zelfs die niet die in zijn eigen records staan',
);

const effective = (
  { values }: MappedRow,
  existing: ExistingRecord | null,
  field: string,
): Value | undefined => (values[field] === undefined ? existing?.values[field] : values[field]);

const changes = ({ values }: MappedRow, existing: ExistingRecord | null, field: string): boolean =>
  values[field] !== undefined && values[field] !== existing?.values[field];

function idsSent(
  { changes: changed, steps }: UnplacedRow,
  named: ReturnType<typeof recordsOf>,
): [field: string, of: NamedRecord, id: number][] {
  return named.flatMap(([field, of]) => {
    const change = changed.find((one) => one.field === field);
    const ids = [change?.from, change?.to, ...steps.map(({ body }) => body[field])];
    return [...new Set(ids.flatMap((id) => idIn(id) ?? []))].map((id): [string, NamedRecord, number] => [
      field,
      of,
      id,
    ]);
  });
}

const ofService = new WeakMap<object, IdRecords>();

/** What a session learned of the records that ids name. */
export function idRecords(context: Pick<Context, 'service' | 'dialect' | 'concurrency'>): IdRecords {
  const known = ofService.get(context.service) ?? new IdRecords(context);
  ofService.set(context.service, known);
  return known;
}
