import type { Endpoint } from '../schema/endpoint.ts';
import type { Bilingual } from '../schema/value.ts';
import type { Failure } from './failure.ts';
import { retryAfter } from './retry-timing.ts';
import type { WireAnswer } from './transport.ts';
import type { Words } from './words.ts';

type Judgement = Pick<Failure, 'kind' | 'reason' | 'transient'> & { readonly effect?: boolean };

const both = (en: string, nl: string): Bilingual => ({ en, nl });

const CONFLICT: Judgement = {
  kind: 'conflict',
  reason: both('in conflict with what the service holds', 'in strijd met wat de dienst heeft staan'),
  transient: false,
};
const MISSING: Judgement = {
  kind: 'missing',
  reason: both('not found by the service', 'niet gevonden door de dienst'),
  transient: false,
};
/** Turned away at the door, by the meaning of these codes before anything was done: safe to repeat, a create too. */
const busy = (reason: Bilingual): Judgement => ({ kind: 'busy', reason, transient: true });
/** A gateway or the service itself broke down, who knows how far along. */
const broken = (reason: Bilingual, transient: boolean): Judgement => ({
  kind: 'lost',
  reason,
  transient,
  effect: true,
});

const STATUS: Readonly<Record<number, Judgement>> = {
  206: broken(
    both(
      'a part of an answer came that nobody asked for',
      'er kwam een deel van een antwoord waar niemand om vroeg',
    ),
    false,
  ),
  403: {
    kind: 'refused',
    reason: both('the token is not allowed to do this', 'het token mag dit niet'),
    transient: false,
  },
  404: MISSING,
  408: busy(
    both('the service gave up waiting for the request', 'de dienst wachtte niet langer op het verzoek'),
  ),
  409: CONFLICT,
  410: MISSING,
  412: CONFLICT,
  425: busy(both('the service asks to come back later', 'de dienst vraagt om later terug te komen')),
  429: busy(both('the service turns requests away', 'de dienst wijst verzoeken af')),
  501: {
    kind: 'refused',
    reason: both('the service does not offer this', 'de dienst biedt dit niet'),
    transient: false,
  },
  502: broken(
    both('the gateway got no answer from the service', 'de gateway kreeg geen antwoord van de dienst'),
    true,
  ),
  503: busy(both('the service is unavailable', 'de dienst is niet beschikbaar')),
  504: broken(
    both('the gateway waited too long for the service', 'de gateway wachtte te lang op de dienst'),
    true,
  ),
};

/** A 429 without a time still means that everyone should stay away for a moment. */
const UNNAMED_PAUSE_MS = 1000;

/** Judges an answer whose status is not a success; `html`: a page came instead of JSON. */
export function statusFailure(
  endpoint: Endpoint,
  answer: WireAnswer,
  said: Words & { readonly html: boolean; readonly now: number },
): Failure {
  const { status, headers } = answer;
  const { words, fields, html, now } = said;
  const { effect, ...judged } = STATUS[status] ?? judgeOther(answer, html);
  const asked = status === 429 || status === 503 ? retryAfter(headers, now) : null;
  return {
    ...judged,
    words,
    fields,
    status,
    reason: both(`${judged.reason.en} (${status})`, `${judged.reason.nl} (${status})`),
    effect: effect === true && endpoint.effect !== 'none',
    wait: asked ?? (status === 429 ? UNNAMED_PAUSE_MS : null),
  };
}

function judgeOther({ status, headers }: WireAnswer, html: boolean): Judgement {
  if (status >= 300 && status < 400) return redirected(status, headers.location);
  if (status < 500)
    return {
      kind: 'refused',
      reason: both('refused by the service', 'geweigerd door de dienst'),
      transient: false,
    };
  // 520 and up are those of content delivery networks: the service behind was not reached, or not heard.
  return broken(both('the service broke down', 'er ging iets stuk bij de dienst'), html || status >= 520);
}

function redirected(status: number, location: string | undefined): Judgement {
  const target =
    location !== undefined && URL.canParse(location)
      ? both(new URL(location).origin, new URL(location).origin)
      : both('another page', 'een andere pagina');
  // 302 and 303 are also how a server answers after it did what was asked.
  const effect = status === 302 || status === 303;
  return {
    kind: 'redirected',
    reason: both(
      `the service redirects to ${target.en}, not followed`,
      `de dienst verwijst naar ${target.nl}, niet gevolgd`,
    ),
    transient: false,
    effect,
  };
}
