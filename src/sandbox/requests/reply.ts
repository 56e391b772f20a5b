import type { SandboxDialect } from './options.ts';

/** What the service answers: JSON, a file, or JSON that is made while it is sent. */
export type Reply =
  | { readonly kind: 'json'; readonly status: number; readonly body: unknown; readonly headers?: Headers }
  | {
      readonly kind: 'bytes';
      readonly status: number;
      readonly bytes: Uint8Array;
      readonly type: string;
      readonly headers?: Headers;
    }
  | {
      readonly kind: 'stream';
      readonly status: number;
      readonly chunks: Iterable<string>;
      readonly headers?: Headers;
    };

type Headers = Readonly<Record<string, string>>;

/** Field → what is wrong with it, one sentence each. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

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

/** How a read answers when there is no such record: in the dialect's way. */
export function missingRecord(what: string, dialect: SandboxDialect): Reply {
  switch (dialect.missing) {
    case '404':
      return notFound(`${what} niet gevonden.`);
    case 'null':
      return json(null);
    case 'empty':
      return json({});
    case 'false':
      return json({ success: false });
  }
}

/**
 * How a write answers when there is no such record: with success false where reads do so, else with 404.
 * `null` and `{}` would say nothing about a write that did not take place.
 */
export function missingForWrite(what: string, flag: 'success' | 'succes', dialect: SandboxDialect): Reply {
  return dialect.missing === 'false' ? json({ id: null, [flag]: false }) : notFound(`${what} niet gevonden.`);
}
