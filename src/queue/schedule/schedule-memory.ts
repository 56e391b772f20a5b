import { hostname } from 'node:os';
import { z } from 'zod';
import type { ExitCode } from '../../core/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';

/** In the place of a service: what stands here is of no service alone. */
const OURS = 'catersheet schedule';

const bilingual = z.object({ en: z.string(), nl: z.string() });

const doneSchema = z.object({
  /** The moment that it was due, ISO, UTC. */
  due: z.string(),
  began: z.string(),
  /** Null while it is at work, or where its program ended before it could say so. */
  ended: z.string().nullable(),
  exit: z.number().nullable(),
  text: bilingual.nullable(),
  /** The machine that did it. */
  by: z.string(),
});

const factSchema = z.object({
  last: doneSchema.nullable(),
  looked: z.string(),
  /** Of which time of it: one that comes at another time was not missed before. */
  sign: z.string(),
});

/** What an entry came to. */
export type EntryDone = Readonly<z.infer<typeof doneSchema>>;
/** What is known of an entry; `looked`: when it was last looked at, also where there was nothing to do. */
export type EntryMemory = Readonly<z.infer<typeof factSchema>>;

/** Says that an entry is at work from now on. */
export const beganNow = (due: Date): EntryDone => ({
  ...{ due: due.toISOString(), began: new Date().toISOString(), ended: null, exit: null, text: null },
  by: hostname(),
});

/** The same once it is over. */
export const endedNow = (
  began: EntryDone,
  exit: ExitCode,
  { en, nl }: NonNullable<EntryDone['text']>,
): EntryDone => ({ ...began, ended: new Date().toISOString(), exit, text: { en, nl } });

const factName = (profile: string, name: string): string => `${profile} ${name}`;

/** What is known of an entry of a profile; undefined where it never ran. */
export async function recall(
  ledger: Pick<Ledger, 'findFact'>,
  profile: string,
  name: string,
): Promise<EntryMemory | undefined> {
  const fact = await ledger.findFact(OURS, factName(profile, name));
  if (fact === undefined) return undefined;
  try {
    return factSchema.parse(JSON.parse(fact));
  } catch {
    // Of another version of the program: to be begun anew.
    return undefined;
  }
}

/** Remembers what an entry came to. */
export async function remember(
  ledger: Pick<Ledger, 'rememberFact'>,
  profile: string,
  name: string,
  memory: EntryMemory,
): Promise<void> {
  await ledger.rememberFact(OURS, factName(profile, name), JSON.stringify(memory));
}
