import type { JSX } from 'preact';
import { t } from '../../../../core/language.ts';
import type { KnownOrders } from '../../../contract/beside-documents.ts';
import { home } from '../../desk.ts';
import { say, sayCount } from '../../language.ts';
import { Box } from '../../pieces/box.tsx';
import { Button } from '../../pieces/button.tsx';
import { Dialog } from '../../pieces/dialog.tsx';
import { hostOf } from '../../pieces/service-badge.tsx';

const ONE_SEND = t('Send 1 purchase order?', '1 inkooporder versturen?');
const SEND_SOME = t('Send {n} purchase orders?', '{n} inkooporders versturen?');
const SEND_ALL = t(
  'Send all purchase orders that the service has?',
  'Alle inkooporders versturen die het systeem heeft?',
);
const REAL = t(
  'They go to the suppliers through {host}, and can’t be called back.',
  'Ze gaan via {host} naar de leveranciers, en zijn niet terug te halen.',
);
const TRYING = t(
  'This goes to the sandbox: no supplier gets anything.',
  'Dit gaat naar de sandbox: geen leverancier krijgt iets.',
);
const AGAIN = t('These go out once more: {ids}.', 'Deze gaan nog eens: {ids}.');
const ALL_BEFORE = t('All were sent before, on {at}.', 'Alles is eerder verstuurd, op {at}.');
const ALL_DOUBT = t(
  'All were sent on {at}, and no answer is known that says they went out. Look on the service first: they would go once more.',
  'Alles is verstuurd op {at}, en er is geen antwoord bekend dat zegt dat het verzonden is. Kijk eerst in het systeem: het zou nog eens gaan.',
);
const SEND = t('Send', 'Versturen');
const CANCEL = t('Cancel', 'Annuleren');

interface AskProps {
  /** Those to send, with what is known of each; `all` for what the service has. */
  readonly orders: KnownOrders['orders'] | 'all';
  readonly allSent: KnownOrders['allSent'];
  readonly onSend: () => void;
  readonly onClose: () => void;
}

/** Asks before purchase orders are sent, and says which of them go once more. */
export function AskOrders({ orders, allSent, onSend, onClose }: AskProps): JSX.Element {
  const service = home.value?.service;
  const isReal = service?.kind === 'real';
  const again = orders === 'all' ? [] : orders.filter(({ state }) => state !== 'new');
  return (
    <Dialog
      title={orders === 'all' ? say(SEND_ALL) : sayCount(orders.length, ONE_SEND, SEND_SOME)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{say(CANCEL)}</Button>
          <Button look={isReal ? 'real' : 'primary'} onClick={onSend}>
            {say(SEND)}
          </Button>
        </>
      }
    >
      <p>{isReal ? say(REAL, { host: hostOf(service?.address ?? '') }) : say(TRYING)}</p>
      {orders !== 'all' && <p class="figures numbers-list">{orders.map(({ id }) => id).join(', ')}</p>}
      {again.length > 0 && <Box tone="warn">{say(AGAIN, { ids: again.map(({ id }) => id).join(', ') })}</Box>}
      {orders === 'all' && allSent !== null && (
        <Box tone={allSent.state === 'sent' ? 'plain' : 'warn'}>
          {say(allSent.state === 'sent' ? ALL_BEFORE : ALL_DOUBT, { at: allSent.at })}
        </Box>
      )}
    </Dialog>
  );
}
