import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Bilingual, t } from '../../../../core/language.ts';
import type { KnownOrders } from '../../../contract/beside-documents.ts';
import { call } from '../../call.ts';
import { say, sayCount } from '../../language.ts';
import { useLoaded } from '../../loaded.ts';
import { Button } from '../../pieces/button.tsx';
import { ErrorBox } from '../../pieces/error-box.tsx';
import { Check } from '../../pieces/field.tsx';
import { useLatestJob } from '../export/use-job.ts';
import { AskOrders } from './ask-orders.tsx';
import { CallsOutcome } from './calls-outcome.tsx';
import { numbersIn } from './numbers.ts';
import { NumbersField } from './numbers-field.tsx';

type Known = KnownOrders['orders'][number];
/** The orders to send, or all that the service has. */
type Chosen = readonly Known[] | 'all';

const TITLE = t('Send purchase orders', 'Inkooporders versturen');
const WHAT = t(
  'To the suppliers, over EDI. The service doesn’t tell which orders it has waiting: name them, or send all of them. An order goes once, unless you say that it goes again.',
  'Naar de leveranciers, via EDI. Het systeem zegt niet welke orders er klaarstaan: noem ze, of verstuur ze allemaal. Een order gaat één keer, tenzij je zegt dat die nog eens gaat.',
);
const NUMBERS = t('Numbers of purchase orders', 'Nummers van inkooporders');
const NONE = t('Send', 'Versturen');
const ONE_SEND = t('Send 1 order', '1 order versturen');
const SEND = t('Send {n} orders', '{n} orders versturen');
const SEND_ALL = t('Send all that the service has', 'Alles versturen wat het systeem heeft');

/** How long a text stands still before it is looked at, ms. */
const STILL = 250;

/** A text once it has not changed for a moment: not every key that is pressed asks the server. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const later = setTimeout(() => setSettled(text), STILL);
    return () => clearTimeout(later);
  }, [text]);
  return settled;
}

/** What is chosen of the numbers that were typed: what was sent before only where it is ticked. */
function useOrders() {
  const text = useSignal('');
  /** Choices that are other than they are by themselves, by number. */
  const ticked = useSignal<ReadonlyMap<string, boolean>>(new Map());
  const made = useLatestJob('orders');
  const typed = numbersIn(text.value);
  const ids = typed.wrong === null ? typed.ids : [];
  const asked = useSettled(ids.join());
  const loaded = useLoaded(
    `orders ${asked}`,
    (signal) => call('lookAtOrders', { body: { ids: asked === '' ? [] : asked.split(',') }, signal }),
    [['service']],
  );
  // What was sent is known as such from then on.
  useEffect(() => loaded.reload(), [made.job?.endedAt]);
  // A number that stays keeps what is known of it while others are looked at.
  const known = useRef(loaded.data);
  known.current = loaded.data ?? known.current;
  const orders = (known.current?.orders ?? []).filter(({ id }) => ids.includes(id));
  const isChosen = ({ id, state }: Known): boolean => ticked.value.get(id) ?? state === 'new';
  const allSent = known.current?.allSent ?? null;
  const send = async (what: Chosen): Promise<void> => {
    const again = what === 'all' ? [] : what.filter(({ state }) => state !== 'new').map(({ id }) => id);
    const body =
      what === 'all'
        ? { ids: 'all' as const, ...(allSent?.state === 'unknown' ? { again: 'all' as const } : {}) }
        : { ids: what.map(({ id }) => id), again };
    await made.begin(() => call('makeOrders', { body }));
    ticked.value = new Map();
  };
  return {
    ...{ text, ticked, made, typed, loaded, orders, isChosen, allSent, send },
    chosen: orders.filter(isChosen),
    isKnown: orders.length === ids.length,
    isAllKnown: known.current !== null,
  };
}

/** Purchase orders: which, what is known of each, sent once that is agreed to, and what came of each. */
export function OrdersPart(): JSX.Element {
  const { text, ticked, made, typed, loaded, orders, isChosen, chosen, isKnown, isAllKnown, allSent, send } =
    useOrders();
  const asks = useSignal<Chosen | null>(null);
  return (
    <section class="tile" aria-labelledby="orders">
      <h2 id="orders">{say(TITLE)}</h2>
      <p class="dim">{say(WHAT)}</p>
      <NumbersField
        label={say(NUMBERS)}
        text={text.value}
        wrong={typed.wrong}
        onText={(now) => {
          text.value = now;
        }}
      />
      {loaded.error !== null && <ErrorBox error={loaded.error} onRetry={loaded.reload} />}
      {orders.length > 0 && (
        <OrderChoices
          orders={orders}
          isChosen={isChosen}
          onTick={(id, on) => {
            ticked.value = new Map(ticked.value).set(id, on);
          }}
        />
      )}
      <SendButtons
        chosen={chosen}
        busy={made.busy}
        isKnown={isKnown}
        isAllKnown={isAllKnown}
        onAsk={(what) => {
          asks.value = what;
        }}
      />
      <div role="status">
        {made.wrong !== null && <ErrorBox error={made.wrong} />}
        {made.job !== undefined && <CallsOutcome job={made.job} />}
      </div>
      {asks.value !== null && (
        <AskOrders
          orders={asks.value === 'all' ? 'all' : [...asks.value]}
          allSent={allSent}
          onSend={() => {
            const what = asks.value;
            asks.value = null;
            if (what !== null) void send(what);
          }}
          onClose={() => {
            asks.value = null;
          }}
        />
      )}
    </section>
  );
}

interface ButtonsProps {
  readonly chosen: readonly Known[];
  readonly busy: boolean;
  /** What is known of each number is there. */
  readonly isKnown: boolean;
  readonly isAllKnown: boolean;
  readonly onAsk: (what: Chosen) => void;
}

function SendButtons({ chosen, busy, isKnown, isAllKnown, onAsk }: ButtonsProps): JSX.Element {
  const none = chosen.length === 0;
  return (
    <div class="actions">
      <Button look="primary" busy={busy} disabled={none || !isKnown} onClick={() => onAsk(chosen)}>
        {none ? say(NONE) : sayCount(chosen.length, ONE_SEND, SEND)}
      </Button>
      <Button busy={busy} disabled={!isAllKnown} onClick={() => onAsk('all')}>
        {say(SEND_ALL)}
      </Button>
    </div>
  );
}

const LIST = t('Which go', 'Welke gaan');
const STATES: Readonly<Record<Known['state'], Bilingual>> = {
  new: t('not sent before', 'niet eerder verstuurd'),
  sent: t(
    'sent before, on {at}: tick it to send it once more',
    'eerder verstuurd, op {at}: vink aan om nog eens te versturen',
  ),
  unknown: t(
    'sent on {at}, and no answer says that it went out: look on the service before you send it once more',
    'verstuurd op {at}, en geen antwoord zegt dat het verzonden is: kijk in het systeem voor je het nog eens verstuurt',
  ),
};

interface ChoicesProps {
  readonly orders: readonly Known[];
  readonly isChosen: (order: Known) => boolean;
  readonly onTick: (id: string, on: boolean) => void;
}

function OrderChoices({ orders, isChosen, onTick }: ChoicesProps): JSX.Element {
  return (
    <fieldset class="checks">
      <legend>{say(LIST)}</legend>
      {orders.map((order) => (
        <Check key={order.id} checked={isChosen(order)} onChange={(on) => onTick(order.id, on)}>
          <b class="figures">{order.id}</b>{' '}
          <span class="dim">{say(STATES[order.state], { at: order.at ?? '' })}</span>
        </Check>
      ))}
    </fieldset>
  );
}
