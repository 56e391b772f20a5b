import type { SandboxDialect } from './options.ts';

/** An answer: JSON, or a file. */
export type Reply = { readonly status: number; readonly headers?: Headers } & (
  | { readonly kind: 'json'; readonly body: unknown }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly type: string }
);

type Headers = Readonly<Record<string, string>>;

/** What is wrong, in sentences by field. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Answers with JSON. */
export function json(body: unknown, status = 200, headers: Headers = {}): Reply {
  return { kind: 'json', status, body, headers };
}

/** 422, or another status, with the errors by field. */
export function refused(errors: FieldErrors, status = 422): Reply {
  const [first = 'De gegevens zijn ongeldig.', ...more] = Object.values(errors).flat();
  const message =
    more.length === 0 ? first : `${first} (en nog ${more.length} andere fout${more.length > 1 ? 'en' : ''})`;
  return json({ message, errors }, status);
}

/** 401 as in interface section 5. */
export function unauthenticated(): Reply {
  return json({ errors: 'De aanvraag is niet toegestaan.', message: 'Unauthenticated.' }, 401);
}

/** 404 with a message. */
export function notFound(message: string): Reply {
  return json({ message }, 404);
}

/** 422 for an id that is in no list and of no record. */
export function unknownId(field: string): Reply {
  return refused({ [field]: [`Het gekozen ${field} is ongeldig.`] });
}

/** Ends the handling of a request with this answer. */
export class Refusal extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super();
    this.reply = reply;
  }
}

/** What a read asks for. @throws Refusal, in the dialect's way, where that does not exist. */
export function found<Found>(what: Found | undefined, name: string, { missing }: SandboxDialect): Found {
  if (what !== undefined) return what;
  if (missing === '404') throw new Refusal(notFound(`${name} niet gevonden.`));
  throw new Refusal(json({ null: null, empty: {}, false: { success: false } }[missing]));
}

/** What a write is about. @throws Refusal where there is none: success false where reads say so, else 404. */
export function foundForWrite<Found>(
  what: Found | undefined,
  name: string,
  { missing }: SandboxDialect,
  flag: 'success' | 'succes' = 'success',
): Found {
  if (what !== undefined) return what;
  throw new Refusal(
    missing === 'false' ? json({ id: null, [flag]: false }) : notFound(`${name} niet gevonden.`),
  );
}
