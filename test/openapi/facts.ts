import { readFileSync } from 'node:fs';

const FOLDER = new URL('../../fixtures/interface/', import.meta.url);
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'));

/** Whether an input takes a field; `one of`: at least one of several has to be there. */
export type FactStatus = 'required' | 'optional' | 'none' | 'one of';

/** A field of what a create and an update take. */
export interface FieldFact {
  readonly name: string;
  readonly type: string;
  readonly create: FactStatus;
  readonly update: FactStatus;
  /** Where its values come from; creating and updating may take them from different lists. */
  readonly lookup?: string | { readonly create: string; readonly update: string };
}

/** A field of a body that is described where its endpoint is. */
export interface BodyFact {
  readonly name: string;
  readonly type: string;
  readonly status: FactStatus;
}

/** An endpoint, its body and its answer; the shape is told in fixtures/interface/README.md. */
export interface EndpointFact {
  readonly section: string;
  readonly method: string;
  readonly path: string;
  readonly segments?: readonly { readonly name: string; readonly holds?: string; readonly type?: string }[];
  readonly body?:
    | readonly BodyFact[]
    | {
        readonly fields: string;
        readonly column: 'create' | 'update';
        readonly oneOf?: readonly string[];
      };
  readonly answer: AnswerFact | null;
}

/** What an endpoint answers: one of these. */
export interface AnswerFact {
  readonly write?: Readonly<Record<string, string>>;
  readonly record?: string;
  readonly list?: string;
  readonly pages?: string;
  readonly recordOrList?: string;
  readonly total?: string;
  readonly empty?: true;
}

/** A member of a record; its type is absent where it is not shown. */
export interface MemberFact {
  readonly name: string;
  readonly type?: string;
  readonly one?: string;
  readonly many?: string;
  /** Where alone it is returned: by an endpoint, or in the lists of packages or recipes. */
  readonly in?: string;
}

/** The 34 endpoints in their order. */
export const endpointFacts = read('endpoints') as readonly EndpointFact[];
/** The 11 lookups. */
export const lookupFacts = read('lookups') as readonly {
  readonly path: string;
  readonly dropdowns?: Readonly<Record<string, number>>;
}[];
/** What a create and an update take, by the name of a resource. */
export const fieldFacts = read('fields') as Readonly<
  Record<string, { readonly section: string; readonly fields: readonly FieldFact[] }>
>;
/** The records that answers hold, by their names. */
export const recordFacts = read('records') as Readonly<
  Record<
    string,
    {
      readonly section: string;
      readonly members: readonly MemberFact[];
      /** Where some reads stop, by the endpoint or the record that it is nested in. */
      readonly lastMember?: Readonly<Record<string, string>>;
    }
  >
>;
/** The fields that a create or an update of a resource takes; none of a resource that has no such facts. */
function fieldsTaken(resource: string, column: 'create' | 'update'): BodyFact[] {
  const { fields = [] } = fieldFacts[resource] ?? {};
  return fields.flatMap(({ name, type, ...field }) =>
    field[column] === 'none' ? [] : [{ name, type, status: field[column] }],
  );
}

/** The fields of an endpoint's body; undefined where it takes none. */
export function bodyFacts({ body }: EndpointFact): readonly BodyFact[] | undefined {
  return body === undefined || 'length' in body ? body : fieldsTaken(body.fields, body.column);
}

/** The members of a record. */
export function membersOf(record: string): readonly MemberFact[] {
  const found = recordFacts[record];
  if (found === undefined) throw new Error(`no facts about a record ${record}`);
  return found.members;
}
