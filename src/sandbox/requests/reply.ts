import type { SandboxDialect } from './options.ts';

/** An answer: JSON, a file, or JSON that is made while it is sent. */
export type Reply = { readonly status: number; readonly headers?: Headers } & (
  | { readonly kind: 'json'; readonly body: unknown }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly type: string }
  | { readonly kind: 'stream'; readonly chunks: Iterable<string> }
);

type Headers = Readonly<Record<string, string>>;

/** What is wrong, in sentences by field. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Answers with JSON. */
export function json(body: unknown, status = 200, headers: Headers = {}): Reply {
  return { kind: 'json', status, body, headers };
}

/** 422 with the errors by field. */
export function refused(errors: FieldErrors): Reply {
  const [first = 'De gegevens zijn ongeldig.', ...more] = Object.values(errors).flat();
  const message =
    more.length === 0 ? first : `${first} (en nog ${more.length} andere fout${more.length > 1 ? 'en' : ''})`;
  return json({ message, errors }, 422);
}

/** 401 as in interface section 5. */
export function unauthenticated(): Reply {
  return json({ errors: 'De aanvraag is niet toegestaan.', message: 'Unauthenticated.' }, 401);
}

/** 404 with a message. */
export function notFound(message: string): Reply {
  return json({ message }, 404);
}

/** A read's answer for a record that does not exist, by the dialect. */
export function missingRecord(what: string, dialect: SandboxDialect): Reply {
  if (dialect.missing === '404') return notFound(`${what} niet gevonden.`);
  return json({ null: null, empty: {}, false: { success: false } }[dialect.missing]);
}

/** A write's answer for a record that does not exist: success false where reads say so, else 404. */
export function missingForWrite(what: string, flag: 'success' | 'succes', dialect: SandboxDialect): Reply {
  return dialect.missing === 'false' ? json({ id: null, [flag]: false }) : notFound(`${what} niet gevonden.`);
}
